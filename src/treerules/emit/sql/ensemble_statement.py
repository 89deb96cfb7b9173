"""An ensemble as SQL: stages that add its trees, and a query of their margins."""

from collections.abc import Iterator, Mapping, Sequence
from itertools import count
from math import inf, nextafter
from typing import Any

from attrs import evolve, frozen
from toolz import partition_all

from treerules._internal.paused_gc import paused_gc
from treerules.emit.checked_rules import CheckedRules
from treerules.emit.ensemble_header import ensemble_opening
from treerules.emit.layout import CodeLine, lines_of
from treerules.emit.predicates import column_reference
from treerules.emit.sql.case_lines import case_lines
from treerules.emit.sql.identifiers import check_names, fold_identifier, output_name, renamed_feature
from treerules.emit.sql.link_functions import MEANS, PROBABILITIES, LinkWriter, of_greatest
from treerules.emit.sql.result_columns import Output, share_names
from treerules.emit.sql.stages import TREES_A_STAGE, Stage, StageSum, cast_lines, finished_lines, sum_lines
from treerules.emit.sql.statement import (
    MOST_ARGUMENTS,
    PredictionStatement,
    SqlContext,
    can_nest,
    text_within_limit,
)
from treerules.emit.sql.statement_words import body_quote, create_words, drop_statement
from treerules.emit.template_records import printed_tests
from treerules.errors import OptionError, UnsupportedError
from treerules.rendering.templates import render_template
from treerules.sql.dialects import DIALECTS
from treerules.trees.ensemble import Ensemble
from treerules.trees.ensemble_routing import leaf_vector
from treerules.trees.margins import margin_names
from treerules.trees.tested_columns import tested_features
from treerules.trees.walkers import leaves, tested_indices

#: The greatest number of trees of an expression, which adds all of them at once.
MOST_IN_EXPRESSION = 200


@paused_gc()
def ensemble_statement(statement: PredictionStatement, ensemble: Ensemble, *, margin: bool) -> str:
    """Return a statement that predicts by an ensemble; `margin` says whether the margins are columns of its result.

    Raises:
        OptionError: the kind of SQL does not suit the ensemble, or names are given twice.
        UnknownNameError: a key of `rename` is neither a feature nor a result column.
        UnsupportedError: the dialect cannot hold a name, a label, the type of the sums, or a statement of this length.
        FileError, TemplateFailedError: there is no folder `templates`, or a template in it fails.
    """
    dialect, kind = statement.language.name, statement.kind.name
    context = _Writer(statement, ensemble).context(margin=margin)
    text = render_template([f"sql/{dialect}/{kind}.sql.j2", f"sql/{kind}.sql.j2"], statement.templates, context)
    if statement.language.large_sum and ensemble.n_leaves > statement.language.most_branches:
        first, rest = text.split("\n", 1)
        text = f"{first}\n-- {statement.language.large_sum}\n{rest}"
    return text_within_limit(statement.language, "guarded", text)


@frozen(eq=False)
class _Writer:
    """Writes the parts of one statement."""

    statement: PredictionStatement
    ensemble: Ensemble

    def context(self, *, margin: bool) -> SqlContext:
        """Return the values for the template, after a check of all names."""
        statement, ensemble, schema = self.statement, self.ensemble, self.ensemble.schema
        language, kind = statement.language, statement.kind
        result = ["prediction", *(margin_names(ensemble) if margin else [])]
        result += share_names(schema) if "proba" in statement.extras else []
        rename = statement.rename or {}
        names = [output_name(schema, name, rename) for name in result]
        used = [feature.name for feature in tested_features(ensemble)]
        check_names(language, schema, rename, keys=statement.keys, used=used, outputs=names)
        columns = [renamed_feature(schema.feature(name), rename) for name in used]
        if len(columns) > MOST_ARGUMENTS and kind.name == "function":
            problem = f"a function of {len(columns)} columns; the limit is {MOST_ARGUMENTS}"
            raise UnsupportedError(language.name, problem, "use the view")
        has_shared_name = any(column.name in names for column in columns)
        stages = self._stages(rename) if kind.reads else ()
        margins = [sum_.name for sum_ in stages[-1].sums] if stages else [self._expression(rename)]
        shares: list[str] = []
        if ensemble.label_by == "probabilities" and stages:  # compared by name: each is a long expression
            stages = (*stages, self._shares(stages[-1]))
            shares = [sum_.name for sum_ in stages[-1].sums]
        outputs = [
            Output(language.identifier(name), tuple(lines), {})
            for name, lines in zip(names, self._outputs(margins, shares, margin=margin), strict=True)
        ]
        context = SqlContext(
            opening=ensemble_opening(ensemble, language.name, "guarded"),
            layout="guarded",
            table=stages[-1].name if stages else statement.table,
            created=statement.created,
            create=create_words(language, kind, replace=statement.replace),
            drop=drop_statement(language, kind, statement.created, replace=statement.replace),
            keys=tuple(language.identifier(key) for key in statement.keys),
            outputs=tuple(outputs),
            ending=language.ending_for_names if has_shared_name and not stages else "",
            columns=tuple(column_reference(language, feature, 0) for feature in columns),
            types=tuple(language.types[feature.scalar] for feature in columns),
            returns=language.types[schema.predicted],
            stages=stages,
            stage_words=language.stage_words,
        )
        return evolve(context, body_quote=body_quote(context.outputs)) if kind.creates else context

    # ---- trees

    def _tree_lines(self, rename: Mapping[str, str]) -> Iterator[list[list[str]]]:
        """Yield for each tree the lines of its CASE, one for each margin that its leaves have a number for."""
        language, schema = self.statement.language, self.ensemble.schema
        lexical = DIALECTS[language.name].reading.lexical
        for number, tree in enumerate(self.ensemble.trees, 1):
            checked = CheckedRules(None, tree)
            lines: list[CodeLine] = lines_of(checked, "guarded")
            if not can_nest(language, lines):
                problem = f"tree {number} nests CASE deeper than {language.deepest_case}"
                raise UnsupportedError(language.name, problem, "fit smaller trees")
            printed = printed_tests(language, schema, lines, rename=rename)
            vectors = [leaf_vector(leaf.prediction) for leaf in leaves(tree)]
            width = len(vectors[0])
            yield [
                list(case_lines(printed, _literals(language, vectors, position), lexical=lexical))
                for position in range(width)
            ]

    def _addends(self, rename: Mapping[str, str]) -> list[list[list[str] | None]]:
        """Return for each tree what it adds to each margin; None where it adds nothing."""
        n = len(self.ensemble.base)
        if self.ensemble.adds_vectors:
            return [list(parts) for parts in self._tree_lines(rename)]
        return [
            [parts[0] if output == position else None for position in range(n)]
            for output, parts in zip(self.ensemble.outputs, self._tree_lines(rename), strict=True)
        ]

    @property
    def _single(self) -> str | None:
        """The type to which sums are rounded; None where they are not."""
        if self.ensemble.sum_type == "float64":
            return None
        language = self.statement.language
        if language.single is None:
            remedy = "use duckdb, postgres or Python, or evolve(ensemble, sum_type='float64'), which rounds otherwise"
            raise UnsupportedError(language.name, "this ensemble adds in float32, a type that it does not have", remedy)
        return language.single

    @property
    def _links(self) -> LinkWriter:
        return LinkWriter(self.statement.language, self._single, self.ensemble.slope)

    def _first(self, position: int) -> str:
        return self.statement.language.literal(self.ensemble.start[position])

    def _finished(self, lines: Sequence[str], position: int) -> list[str]:
        """Return the lines of the sum of all leaves as those of a margin, a double."""
        literal = self.statement.language.literal
        steps = [f"{operator} {literal(numbers[position])}" for operator, numbers in self.ensemble.steps]
        finished = finished_lines(lines, steps, self._single)
        return finished if self._single is None else cast_lines(finished, self.statement.language.types["number"])

    def _stages(self, rename: Mapping[str, str]) -> tuple[Stage, ...]:
        language, schema = self.statement.language, self.ensemble.schema
        keys = list(self.statement.keys)
        features = {index: renamed_feature(schema.features[index], rename) for index in range(len(schema.features))}
        taken = {fold_identifier(language, name) for name in (*keys, *(feature.name for feature in features.values()))}
        n_margins, single = len(self.ensemble.base), self._single
        numbers = range(1, n_margins + 1)
        margins = [self._free(f"treerules_margin_{n}" if n_margins > 1 else "treerules_margin", taken) for n in numbers]
        batches = list(partition_all(TREES_A_STAGE, zip(self.ensemble.trees, self._addends(rename), strict=True)))
        tables = {fold_identifier(language, part.strip('"`[]')) for part in self.statement.table.split(".")}
        stages: list[Stage] = []
        for position, batch in enumerate(batches):
            later = tested_indices(tree for rest in batches[position + 1 :] for tree, _ in rest)
            passed = [*keys, *(features[index].name for index in later)]
            starts = margins if stages else [self._first(at) for at in range(n_margins)]
            sums = []
            for at, margin in enumerate(margins):
                addends = [parts[at] for _, parts in batch]
                lines = sum_lines(starts[at], [part for part in addends if part is not None], single)
                is_end = position == len(batches) - 1
                sums.append(StageSum(margin, self._finished(lines, at) if is_end else lines))
            source = stages[-1].name if stages else self.statement.table
            name = self._free(f"treerules_sum_{position + 1}", tables)
            stages.append(Stage(name, source, _quoted(language, passed), sums))
        return tuple(stages)

    def _free(self, name: str, taken: set[str]) -> str:
        """Return the quoted form of a name that no column has."""
        language = self.statement.language
        names = (name + "_" * n for n in count())
        return language.identifier(next(free for free in names if fold_identifier(language, free) not in taken))

    def _expression(self, rename: Mapping[str, str]) -> str:
        """Return the margin of an ensemble as one expression.

        Raises:
            OptionError: it has several margins, or too many trees.
        """
        ensemble, kind = self.ensemble, self.statement.kind.name
        if ensemble.use == "classes" or len(ensemble.trees) > MOST_IN_EXPRESSION:
            what = (
                "this ensemble has a margin for each class"
                if ensemble.use == "classes"
                else (f"an expression adds at most {MOST_IN_EXPRESSION} trees")
            )
            raise OptionError("kind", kind, f"'select', 'view' or 'table': {what}")
        addends = [part for parts in self._addends(rename) for part in parts if part is not None]
        lines = self._finished(sum_lines(self._first(0), addends, self._single), 0)
        return "\n".join(["(", *(f"  {line}" for line in lines), ")"])

    # ---- results

    def _shares(self, last: Stage) -> Stage:
        """Return the stage of the probabilities, which passes the keys and the margins on."""
        language, margins = self.statement.language, [sum_.name for sum_ in last.sums]
        taken = {fold_identifier(language, key) for key in self.statement.keys}
        names = [self._free(f"treerules_share_{n}", taken) for n in range(1, len(margins) + 1)]
        probabilities = PROBABILITIES[self.ensemble.link](self._links, margins)
        sums = [StageSum(name, lines) for name, lines in zip(names, probabilities, strict=True)]
        tables = {fold_identifier(language, part.strip('"`[]')) for part in self.statement.table.split(".")}
        keys = _quoted(language, list(self.statement.keys))
        return Stage(self._free("treerules_shares", tables), last.name, [*keys, *margins], sums)

    def _outputs(self, margins: Sequence[str], shares: Sequence[str], *, margin: bool) -> Iterator[list[str]]:
        """Yield the lines of the prediction, then those of the margins and of the probabilities."""
        yield self._prediction(shares or margins)
        if margin:
            yield from ([name] for name in margins)
        if "proba" in self.statement.extras and shares:
            yield from ([name] for name in shares)
        elif "proba" in self.statement.extras:
            yield from PROBABILITIES[self.ensemble.link](self._links, margins)

    def _prediction(self, margins: Sequence[str]) -> list[str]:
        ensemble, literal = self.ensemble, self.statement.language.literal
        if ensemble.use == "mean":
            return MEANS[ensemble.link](self._links, margins[0]).split("\n")
        labels = [literal(label) for label in ensemble.schema.classes]
        if ensemble.use == "cut":
            first, second = labels
            text = f"CASE WHEN {self._at_least_cut(margins[0])} THEN {second} ELSE {first} END"
            return text.split("\n")
        *whens, last = of_greatest(margins, labels)
        return ["CASE", *(f"  {when}" for when in whens), f"  {last}", "END"] if whens else labels

    def _at_least_cut(self, margin: str) -> str:
        """Return the test margin >= cut, or > the number before it where that is shorter, as 0 is."""
        cut, literal = self.ensemble.cut or 0.0, self.statement.language.literal
        before = nextafter(cut, -inf)
        if len(repr(before)) < len(repr(cut)):
            return f"{margin} > {literal(before)}"
        return f"{margin} >= {literal(cut)}"


def _literals(language: Any, vectors: Sequence[Sequence[float]], position: int) -> dict[int, str]:
    return {number: language.literal(vector[position]) for number, vector in enumerate(vectors, 1)}


def _quoted(language: Any, names: Sequence[str]) -> list[str]:
    """Return names as the language writes them, each once."""
    by_name = {fold_identifier(language, name): language.identifier(name) for name in reversed(names)}
    return [by_name[key] for key in dict.fromkeys(fold_identifier(language, name) for name in names)]
