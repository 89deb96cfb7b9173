"""A CASE by the positions of its tokens, and a CASE of which some words were found."""

from attrs import define, field, frozen

from treerules.formats.sql.sql_text import Slice, SqlText
from treerules.rules.parsed import BranchPlace


@frozen
class Branch:
    """A WHEN or ELSE: the position of its word, its condition, None for ELSE, and its outcome."""

    position: int
    condition: Slice | None
    outcome: Slice


@define
class Case:
    """A CASE: the positions of its tokens, its operand, None without one, and its branches, ELSE last."""

    start: int
    stop: int = -1
    operand: Slice | None = None
    branches: list[Branch] = field(factory=list)
    has_else: bool = False
    #: why it cannot be read; then it has no branches
    problem: str = ""

    @property
    def part(self) -> Slice:
        """Its tokens."""
        return Slice(self.start, self.stop)


def branch_places(source: SqlText, case: Case) -> dict[str, BranchPlace]:
    """Return where the branches of a CASE stand in its text, by name."""
    return {
        "ELSE" if branch.condition is None else f"WHEN {number}": BranchPlace(
            source.tokens[branch.position].start,
            source.tokens[branch.outcome.start].start,
            source.tokens[branch.outcome.stop - 1].end,
            source.line_and_column(branch.position)[0],
        )
        for number, branch in enumerate(case.branches, 1)
    }


#: The words of the same CASE that each word may follow.
_AFTER = {"WHEN": ("CASE", "THEN"), "THEN": ("WHEN",), "ELSE": ("THEN",), "END": ("THEN", "ELSE")}


@define
class OpenCase:
    """A CASE without its END so far, or a block of statements in it: its last word, and where that and WHEN stand."""

    start: int
    #: how many parentheses and braces are open before it
    depth: int
    braces: int
    case: Case | None
    word: str = "CASE"
    position: int = -1
    when_position: int = -1
    condition: Slice | None = None
    #: whether it is a CASE statement of a procedure, with statements for outcomes
    is_statement: bool = False

    def add_word(self, position: int, word: str) -> str:
        """Add the next word, and return what is wrong with it or ""."""
        if self.case is None:
            return f"{word} stands in a block of statements" if word != "END" else ""
        if self.word not in _AFTER[word]:
            expected = " or ".join(w for w, before in _AFTER.items() if self.word in before) or "nothing"
            return f"{word} follows {self.word}, where {expected} should stand"
        part = Slice(self.position + 1, position)
        if part.start == part.stop and self.word != "CASE":
            return f"nothing stands between {self.word} and {word}"
        if self.word == "CASE":
            self.case.operand = part if part.stop > part.start else None
        elif word == "THEN":
            self.when_position, self.condition = self.position, part
        else:
            is_else = self.word == "ELSE"
            where, condition = (self.position, None) if is_else else (self.when_position, self.condition)
            self.case.branches.append(Branch(where, condition, part))
            self.case.has_else = self.case.has_else or is_else
        self.word, self.position, self.case.stop = word, position, position + 1
        return ""
