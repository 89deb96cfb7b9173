"""The values that templates receive: one class for each template that users can replace.

Each field of a class is a name in the template. All texts are finished (lines of code, literals, tests, quoted names),
so a template prints them unchanged.
"""

from types import MappingProxyType

from treerules.emit.custom import CodeContext
from treerules.emit.dbt import Accepted, DbtContext
from treerules.emit.dbt_variants import Variant
from treerules.emit.header import Opening
from treerules.emit.javascript import JavascriptContext, JavascriptLoad
from treerules.emit.javascript_ensemble import JavascriptEnsembleContext
from treerules.emit.javascript_lookup import JavascriptLookup
from treerules.emit.javascript_plain import PlainJavascriptContext
from treerules.emit.python.ensemble_arrays import EnsembleArraysContext
from treerules.emit.python.ensemble_module import EnsembleContext
from treerules.emit.python.lookup_code import LookupParts
from treerules.emit.python.module_context import PythonContext, PythonLoad
from treerules.emit.python.plain_module import PlainContext
from treerules.emit.python.plain_script import PlainScript
from treerules.emit.python.vectorized import VectorizedContext
from treerules.emit.sql.lookup import Answer, Lookup, PrintedCut
from treerules.emit.sql.result_columns import Output
from treerules.emit.sql.rules_table_context import AskedColumn, RulesQuery, StoredTable
from treerules.emit.sql.stages import Stage, StageSum
from treerules.emit.sql.statement import SqlContext
from treerules.emit.template_records import PrintedFeature, PrintedLine, PrintedRule
from treerules.formats.dmn.dmn_writer import DmnColumn, DmnContext, DmnRule
from treerules.rendering.page_contexts import PageScriptContext, ReportPageContext
from treerules.rendering.svg_contexts import SvgContext, SvgGroup, SvgPicture, SvgShape
from treerules.rendering.text_contexts import (
    GraphContext,
    GraphNode,
    HtmlDocumentContext,
    HtmlNode,
    HtmlPart,
    HtmlReportContext,
    HtmlTable,
    HtmlTreeContext,
    LinesContext,
    Sentence,
    SentencesContext,
    TableContext,
)
from treerules.rules.rule import RuleFigures

__all__ = (
    "CONTEXTS",
    "Accepted",
    "Answer",
    "AskedColumn",
    "CodeContext",
    "DbtContext",
    "DmnColumn",
    "DmnContext",
    "DmnRule",
    "EnsembleArraysContext",
    "EnsembleContext",
    "GraphContext",
    "GraphNode",
    "HtmlDocumentContext",
    "HtmlNode",
    "HtmlPart",
    "HtmlReportContext",
    "HtmlTable",
    "HtmlTreeContext",
    "JavascriptContext",
    "JavascriptEnsembleContext",
    "JavascriptLoad",
    "JavascriptLookup",
    "LinesContext",
    "Lookup",
    "LookupParts",
    "Opening",
    "Output",
    "PageScriptContext",
    "PlainContext",
    "PlainJavascriptContext",
    "PlainScript",
    "PrintedCut",
    "PrintedFeature",
    "PrintedLine",
    "PrintedRule",
    "PythonContext",
    "PythonLoad",
    "ReportPageContext",
    "RuleFigures",
    "RulesQuery",
    "Sentence",
    "SentencesContext",
    "SqlContext",
    "Stage",
    "StageSum",
    "StoredTable",
    "SvgContext",
    "SvgGroup",
    "SvgPicture",
    "SvgShape",
    "TableContext",
    "Variant",
    "VectorizedContext",
)

_SQL_TEMPLATES = (
    *("expression", "select", "view", "table", "macro", "function", "plpgsql"),
    *("query", "case", "lookup", "stages"),
)

#: The class of each template. The template of a user's language (`to_code`) receives a CodeContext.
CONTEXTS = MappingProxyType(
    {
        "python/module.py.j2": PythonContext,
        "python/plain.py.j2": PlainContext,
        "python/vectorized.py.j2": VectorizedContext,
        "python/ensemble.py.j2": EnsembleContext,
        "python/arrays.py.j2": EnsembleArraysContext,
        "javascript/module.js.j2": JavascriptContext,
        "javascript/plain.js.j2": PlainJavascriptContext,
        "javascript/ensemble.js.j2": JavascriptEnsembleContext,
        **{f"sql/{kind}.sql.j2": SqlContext for kind in _SQL_TEMPLATES},
        "rules/create.sql.j2": StoredTable,
        "rules/insert.sql.j2": StoredTable,
        "rules/query.sql.j2": RulesQuery,
        "dbt/macro.sql.j2": DbtContext,
        "dbt/model.sql.j2": DbtContext,
        "dbt/schema.yml.j2": DbtContext,
        "dmn/table.dmn.j2": DmnContext,
        "text/rules.txt.j2": SentencesContext,
        "text/table.txt.j2": LinesContext,
        "text/table.md.j2": TableContext,
        "graph/tree.txt.j2": LinesContext,
        "graph/tree.dot.j2": GraphContext,
        "graph/tree.mmd.j2": GraphContext,
        "html/document.html.j2": HtmlDocumentContext,
        "html/report.html.j2": HtmlReportContext,
        "html/tree.html.j2": HtmlTreeContext,
        "page/report.html.j2": ReportPageContext,
        "page/script.js.j2": PageScriptContext,
        "svg/picture.svg.j2": SvgContext,
    }
)
