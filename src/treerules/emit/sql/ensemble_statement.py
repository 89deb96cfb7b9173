"""An ensemble as SQL: stages that add its trees, and a query of their margins."""

from collections.abc import Iterator, Mapping, Sequence
from itertools import count
from math import inf, nextafter
from typing import Any

from attrs import evolve, frozen
from toolz import partition_all

from treerules._internal.paused_gc import paused_gc
from treerules.emit.accumulation import Accumulation, with_remark
from treerules.emit.checked_rules import CheckedRules
from treerules.emit.ensemble_header import ensemble_opening
from treerules.emit.layout import CodeLine, lines_of
from treerules.emit.predicates import column_reference
from treerules.emit.sql.case_lines import case_lines
from treerules.emit.sql.identifiers import check_names, fold_identifier, output_name, renamed_feature
from treerules.emit.sql.link_functions import MEANS, PROBABILITIES, LinkWriter, double_of, of_greatest
from treerules.emit.sql.oblivious_case import list_levels, list_lines
from treerules.emit.sql.result_columns import Output, share_names
from treerules.emit.sql.stages import Stage, StageSum, finished_lines, sum_lines, wrapped_lines
from treerules.emit.sql.statement import (
    MOST_ARGUMENTS,
    PredictionStatement,
    SqlContext,
    can_nest,
    text_within_limit,
)
from treerules.emit.sql.statement_words import body_quote, create_words, drop_statement
from treerules.emit.sql.type_guard import type_guard
from treerules.emit.template_records import printed_tests
from treerules.errors import OptionError, UnsupportedError, counted
from treerules.rendering.templates import render_template
from treerules.sql.dialects import DIALECTS
from treerules.sql.language import Language
from treerules.trees.ensemble import Ensemble
from treerules.trees.ensemble_routing import leaf_vector
from treerules.trees.margins import margin_names
from treerules.trees.tested_columns import tested_features
from treerules.trees.tree import Tree
from treerules.trees.walkers import leaves, tested_indices

#: The number of trees that a stage adds.
TREES_A_STAGE = 50
#: The greatest number of trees of an expression, which adds all of them at once.
MOST_IN_EXPRESSION = 200


def trees_a_stage(language: Language, ensemble: Ensemble) -> int:
    """Return how many trees a stage adds: parsers limit how deep expressions are, above all those that are rounded."""
    return TREES_A_STAGE if ensemble.sum_type == "float64" else language.single_sums_a_stage


@paused_gc()
def ensemble_statement(statement: PredictionStatement, accumulation: Accumulation, *, margin: bool) -> str:
    """Return a statement that predicts by an ensemble; `margin` says whether the margins are columns of its result.

    Raises:
        OptionError: the kind of SQL does not suit the ensemble, or names are given twice.
        UnknownNameError: a key of `rename` is neither a feature nor a result column.
        UnsupportedError: the dialect cannot hold a name, a label, the type of the sums, or a statement of this length.
        FileError, TemplateFailedError: there is no folder `templates`, or a template in it fails.
    """
    dialect, kind = statement.language.name, statement.kind.name
    ensemble = accumulation.ensemble
    context = _Writer(statement, accumulation).context(margin=margin)
    text = render_template([f"sql/{dialect}/{kind}.sql.j2", f"sql/{kind}.sql.j2"], statement.templates, context)
    if statement.language.large_sum and ensemble.n_leaves > statement.language.most_branches:
        first, rest = text.split("\n", 1)
        text = f"{first}\n-- {statement.language.large_sum}\n{rest}"
    text = with_remark(text, "--", accumulation.remark)
    return text_within_limit(statement.language, "guarded", text)


@frozen(eq=False)
class _Writer:
    """Writes the parts of one statement."""

    statement: PredictionStatement
    accumulation: Accumulation

    @property
    def ensemble(self) -> Ensemble:
        """The ensemble as the statement adds it."""
        return self.accumulation.ensemble

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
            opening=ensemble_opening(self.accumulation.model, language.name, "guarded"),
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
        """Yield for each tree the lines of its CASE, or of its list, for each margin that its leaves add to."""
        language, schema = self.statement.language, self.ensemble.schema
        lexical = DIALECTS[language.name].reading.lexical
        used = [feature.name for feature in tested_features(self.ensemble)]
        guard = type_guard(language, schema, used, rename)  # of the first CASE: an error ends the whole statement
        for number, tree in enumerate(self.ensemble.trees, 1):
            vectors = [leaf_vector(leaf.prediction) for leaf in leaves(tree)]
            if levels := list_levels(language, tree):
                literals = [list(map(language.literal, numbers)) for numbers in zip(*vectors, strict=True)]
                yield [list_lines(language, schema, levels, values, rename) for values in literals]
                continue
            lines: list[CodeLine] = lines_of(CheckedRules(None, tree), "guarded")
            if not can_nest(language, lines, around=self._around):
                problem = f"tree {number} nests CASE deeper than {language.deepest_case}"
                raise UnsupportedError(language.name, problem, "fit smaller trees")
            printed = printed_tests(language, schema, lines, rename=rename)
            width = len(vectors[0])
            yield [
                list(case_lines(printed, _literals(language, vectors, position), lexical=lexical, guard=guard))
                for position in range(width)
            ]
            guard = guard if len(lines) == 1 else None

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
        """The pattern that rounds sums to float32; None where they are not rounded."""
        if self.ensemble.sum_type == "float64":
            return None
        language = self.statement.language
        if language.single is None:
            remedy = "accumulate 'exact' or 'double', which is in doubles, or use another dialect, such as duckdb"
            raise UnsupportedError(language.name, "this ensemble adds in float32, which is not written for it", remedy)
        return language.single

    @property
    def _around(self) -> int:
        """How deep the trees of the last stage stand in expressions that round, counted in levels of CASE."""
        is_wrapped = self.ensemble.sum_type == "float32" and not self.statement.language.adds_singles
        n_steps = len(self.ensemble.steps)
        return 2 + 3 * n_steps if is_wrapped and n_steps else 0  # tried with the parser of SQLite

    @property
    def _links(self) -> LinkWriter:
        return LinkWriter(self.statement.language, self._single, self.ensemble.slope)

    def _first(self, position: int) -> str:
        return self.statement.language.literal(self.ensemble.start[position])

    def _sum(self, first: str, addends: Sequence[Sequence[str]]) -> list[str]:
        """Return the lines of a sum of leaves in the type of the ensemble."""
        return sum_lines(first, addends, self._single, is_typed=self.statement.language.adds_singles)

    def _finished(self, lines: Sequence[str], position: int) -> list[str]:
        """Return the lines of the sum of all leaves as those of a margin, a double."""
        literal = self.statement.language.literal
        steps = [f"{operator} {literal(numbers[position])}" for operator, numbers in self.ensemble.steps]
        finished = finished_lines(lines, steps, self._single)
        return finished if self._single is None else wrapped_lines(finished, double_of(self.statement.language))

    def _stages(self, rename: Mapping[str, str]) -> tuple[Stage, ...]:
        language, schema = self.statement.language, self.ensemble.schema
        keys = list(self.statement.keys)
        features = {index: renamed_feature(schema.features[index], rename) for index in range(len(schema.features))}
        taken = {fold_identifier(language, name) for name in (*keys, *(feature.name for feature in features.values()))}
        n_margins = len(self.ensemble.base)
        numbers = range(1, n_margins + 1)
        margins = [self._free(f"treerules_margin_{n}" if n_margins > 1 else "treerules_margin", taken) for n in numbers]
        batches = list(
            partition_all(
                trees_a_stage(language, self.ensemble), zip(self.ensemble.trees, self._addends(rename), strict=True)
            )
        )
        tables = {fold_identifier(language, part.strip('"`[]')) for part in self.statement.table.split(".")}
        stages: list[Stage] = []
        for position, (batch, later) in enumerate(zip(batches, _tested_later(batches), strict=True)):
            passed = [*keys, *(features[index].name for index in later)]
            starts = margins if stages else [self._first(at) for at in range(n_margins)]
            sums = []
            for at, margin in enumerate(margins):
                addends = [parts[at] for _, parts in batch]
                lines = self._sum(starts[at], [part for part in addends if part is not None])
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
        a_stage = trees_a_stage(self.statement.language, ensemble)
        most = MOST_IN_EXPRESSION if a_stage == TREES_A_STAGE else a_stage
        if ensemble.use == "classes" or len(ensemble.trees) > most:
            what = (
                "this ensemble has a margin for each class"
                if ensemble.use == "classes"
                else f"an expression adds at most {counted(most, 'tree')} in {ensemble.sum_type} here"
            )
            raise OptionError("kind", kind, f"'select', 'view' or 'table': {what}")
        addends = [part for parts in self._addends(rename) for part in parts if part is not None]
        lines = self._finished(self._sum(self._first(0), addends), 0)
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


def _tested_later(batches: Sequence[Sequence[tuple[Tree, Any]]]) -> list[list[int]]:
    """Return for each batch of trees the features that later batches test, ascending."""
    found: list[list[int]] = []
    later: set[int] = set()
    for batch in reversed(batches):
        found.append(sorted(later))
        later |= {*tested_indices(tree for tree, _ in batch)}
    return found[::-1]


def _literals(language: Any, vectors: Sequence[Sequence[float]], position: int) -> dict[int, str]:
    return {number: language.literal(vector[position]) for number, vector in enumerate(vectors, 1)}


def _quoted(language: Any, names: Sequence[str]) -> list[str]:
    """Return names as the language writes them, each once."""
    by_name = {fold_identifier(language, name): language.identifier(name) for name in reversed(names)}
    return [by_name[key] for key in dict.fromkeys(fold_identifier(language, name) for name in names)]
