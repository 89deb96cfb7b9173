"""Find the CASE expressions of a text by its tokens, without parsing the SQL around them.

Each condition and each outcome is parsed alone, and a CASE within a CASE needs no recursion. Where the words of a CASE
are in a wrong order, or its END is missing, or Jinja decides which of its words are there, the whole outermost CASE is
one that cannot be read: a WHEN is never counted to another CASE than its own.
"""

from bisect import bisect_left
from itertools import takewhile

from attrs import define, field

from treerules.formats.sql.case_parts import Case, OpenCase
from treerules.formats.sql.sql_text import SqlText


def cases_of(source: SqlText) -> dict[int, Case]:
    """Return each CASE by the position of its first token, in the order of the text; some may have a `problem`.

    Raises:
        ParseError: a quote or a comment is not closed, and no CASE stands before it.
    """
    stop, opening = source.unclosed or (len(source.tokens), None)
    search = _Search(source, stop)
    for position in range(stop):
        search.take(position)
    if opening is None:
        search.give_up(stop)
        return search.cases
    problem = source.unclosed_problem(opening)
    start = search.stack[0].start if search.stack else stop
    search.drop_from(start)
    if not any(not case.problem for case in search.cases.values()):
        raise source.wrong(problem, "close it, or name the dialect", opening)
    line, column = source.line_and_column(opening)
    problem = f"{problem} (line {line}, column {column}); what follows is not read"
    search.cases[start] = Case(start, len(source.tokens), problem=problem)
    return search.cases


#: The words of a query that stand in a CASE only in parentheses.
_CLAUSES = ("SELECT", "FROM", "WHERE", "HAVING", "UNION", "INSERT", "JOIN")
#: The words that begin a statement of a procedure, after THEN or ELSE.
_STATEMENTS = (
    "SELECT", "INSERT", "UPDATE", "DELETE", "MERGE", "SET", "CALL", "EXEC", "EXECUTE", "RETURN", "RAISE", "PRINT",
    "BEGIN", "IF", "FOR", "WHILE", "LOOP", "OPEN", "FETCH", "EXIT", "LET", "PERFORM", "SIGNAL", "LEAVE", "ITERATE",
)  # fmt: skip
_BLOCKS = ("IF", "LOOP", "WHILE", "REPEAT", "FOR", "CASE")
#: What may follow a column that is called case.
_AFTER_NAME = (
    ",", ")", "]", "=", "<", ">", ";", ".", "!", "|", "AS", "FROM", "IS", "IN", "LIKE", "AND", "OR", "BETWEEN", "ASC",
    "DESC",
)  # fmt: skip
#: Statements in which WHEN, THEN and ELSE stand outside of a CASE.
_OTHER_WHENS = (
    "MERGE", "IF", "ELSEIF", "ELSIF", "ELIF", "TRIGGER", "EXCEPTION", "PROCEDURE", "FUNCTION", "BEGIN", "CREATE",
)  # fmt: skip


@define
class _Search:
    """The search for CASEs: those found, those open, and what is wrong with the outermost of these."""

    source: SqlText
    end: int
    cases: dict[int, Case] = field(factory=dict)
    stack: list[OpenCase] = field(factory=list)
    problem: str = ""
    depth: int = 0
    braces: int = 0
    #: the last outermost CASE, if nothing since then separates it from what follows
    last: Case | None = None
    _has_other_whens: bool | None = None

    def take(self, position: int) -> None:
        """Take the next token."""
        token = self.source.tokens[position]
        step = _STEPS.get(token.word)
        if step is not None and not (token.kind == "word" and self._word(position - 1) == "."):
            step(self, position, token.word)

    def _word(self, position: int) -> str:
        return self.source.word(position) if position < self.end else ""

    # ---- words of a CASE

    def open_case(self, position: int, word: str) -> None:
        """Take CASE, unless it is a part of END CASE or the name of a column."""
        following = self._word(position + 1)
        if position + 1 >= self.end or following in _AFTER_NAME or self._is_end_of_block(position):
            return
        opened = OpenCase(position, self.depth, self.braces, Case(position), position=position)
        self.stack.append(opened)
        self.cases[position] = opened.case or Case(position)
        self.last = None

    def _is_end_of_block(self, position: int) -> bool:
        """Return whether a word after END belongs to it: END IF; or END LOOP name;"""
        if self._word(position - 1) != "END" or self._word(position) not in _BLOCKS:
            return False
        has_name = position + 1 < self.end and self.source.is_name(position + 1)
        after = position + 1 + has_name
        return after >= self.end or self._word(after) == ";"

    def open_block(self, position: int, word: str) -> None:
        """Take BEGIN, which END closes."""
        if self.stack:
            self._doubt(position, "BEGIN stands in it")
            self.stack.append(OpenCase(position, self.depth, self.braces, None))

    def add_word(self, position: int, word: str) -> None:
        """Take WHEN, THEN or ELSE."""
        if not self.stack:
            self._add_stray(position, word)
            return
        top = self.stack[-1]
        if top.depth != self.depth:
            self._doubt(position, f"{word} stands in parentheses that are not closed")
        problem = top.add_word(position, word)
        if problem:
            self._doubt(position, problem)
        is_call = self._word(position + 2) == "("
        if word != "WHEN" and self._word(position + 1) in _STATEMENTS and not is_call:
            top.is_statement = True

    def _add_stray(self, position: int, word: str) -> None:
        """Take a WHEN, THEN or ELSE outside of a CASE: after the END of one, that CASE is in doubt."""
        if self.last is None:
            return
        if self._has_other_whens is None:
            self._has_other_whens = any(token.word in _OTHER_WHENS for token in self.source.tokens)
        if not self._has_other_whens:
            self.drop_from(self.last.start)
            problem = f"{word} follows its END{self._place(position)}"
            self.cases[self.last.start] = Case(self.last.start, position + 1, problem=problem)

    def close(self, position: int, word: str) -> None:
        """Take END."""
        if not self.stack or (self._word(position + 1) != "CASE" and self._is_end_of_block(position + 1)):
            return
        top = self.stack.pop()
        problem = top.add_word(position, word)
        if top.depth != self.depth:
            problem, self.depth = problem or "END stands in parentheses that are not closed", top.depth
        self.braces = top.braces
        if problem:
            self._doubt(position, problem)
        if not self.stack:
            self._finish(top.start, position + 1)

    # ---- what ends a CASE without END

    def open_parenthesis(self, position: int, word: str) -> None:
        """Take ( or [."""
        self.depth += 1

    def close_parenthesis(self, position: int, word: str) -> None:
        """Take ) or ]."""
        self.depth -= 1
        if self.stack and self.stack[-1].depth > self.depth:
            if self.stack[0].depth > self.depth:
                self.give_up(position)
                return
            self._doubt(position, "a CASE in it has no END")
            while self.stack[-1].depth > self.depth:
                self.stack.pop()

    def count_brace(self, position: int, word: str) -> None:
        """Take { or }."""
        self.braces += 1 if word == "{" else -1

    def separate(self, position: int, word: str) -> None:
        """Take a comma or a word of a query, which cannot stand in a CASE but in parentheses."""
        self.last = None
        if not self.stack or (word == "FROM" and self._word(position - 1) == "DISTINCT"):
            return
        top = self.stack[-1]
        if (
            top.depth != self.depth
            or top.is_statement
            or top.case is None
            or (word == "," and top.braces < self.braces)
        ):
            return
        if self.stack[0].depth == self.depth:
            self.give_up(position)
        else:
            self._doubt(position, f"{word} stands in a CASE without END")

    def end_statement(self, position: int, word: str) -> None:
        """Take a semicolon, which stands in a CASE only if that is a statement itself."""
        self.last = None
        if not self.stack:
            self.depth = self.braces = 0
            return
        top = self.stack[-1]
        if top.case is None:
            return
        goes_on = top.is_statement or self._word(position + 1) in ("WHEN", "ELSE", "END")
        if goes_on and top.word in ("THEN", "ELSE") and top.depth == self.depth:
            top.is_statement = True
            return
        self.give_up(position)
        self.depth = self.braces = 0

    def give_up(self, stop: int) -> None:
        """End the outermost CASE before a position, without its END; without WHEN too, the word is a name."""
        names = [opened.start for opened in self.stack if opened.word == "CASE"]
        if names and not self.problem and names == self._found_from(names[0]):
            self.stack.clear()
            self.drop_from(names[0])
        if self.stack:
            self.problem = self.problem or "this CASE has no END"
            self.depth = min(self.depth, self.stack[0].depth)
            start = self.stack[0].start
            self.stack.clear()
            self._finish(start, stop)
            self.last = None

    # ---- what is found

    def _doubt(self, position: int, problem: str) -> None:
        self.problem = self.problem or problem + self._place(position)

    def _place(self, position: int) -> str:
        return " (line {}, column {})".format(*self.source.line_and_column(position))

    def _finish(self, start: int, stop: int) -> None:
        """Keep an outermost CASE, with the CASEs in it unless it cannot be read."""
        case = self.cases[start]
        statements, tokens = self.source.jinja.statements, self.source.tokens
        at = bisect_left(statements, (tokens[start].start, 0))
        if at < len(statements) and statements[at][0] < tokens[stop - 1].end:
            line, column = self.source.place_of(statements[at][0])
            shown = " ".join(self.source.text[slice(*statements[at])].split())
            shown = shown if len(shown) <= 60 else shown[:57] + "..."
            self.problem = f"{shown} (line {line}, column {column}) decides what stands in it"
        if self.problem:
            self.drop_from(start)
            case = self.cases[start] = Case(start, stop, problem=self.problem)
        self.problem, self.last = "", case

    def _found_from(self, start: int) -> list[int]:
        """Return where the CASEs start that start at a position or behind it."""
        return list(takewhile(lambda found: found >= start, reversed(self.cases)))[::-1]

    def drop_from(self, start: int) -> None:
        """Drop the CASEs that start at a position or behind it."""
        while self.cases and (last := next(reversed(self.cases))) >= start:
            del self.cases[last]


_STEPS = {
    "CASE": _Search.open_case,
    **dict.fromkeys(("WHEN", "THEN", "ELSE"), _Search.add_word),
    "END": _Search.close,
    "BEGIN": _Search.open_block,
    **dict.fromkeys("([", _Search.open_parenthesis),
    **dict.fromkeys(")]", _Search.close_parenthesis),
    **dict.fromkeys("{}", _Search.count_brace),
    **dict.fromkeys((",", *_CLAUSES), _Search.separate),
    ";": _Search.end_statement,
}
