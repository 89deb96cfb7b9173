"""Rules as code in languages of your own, rules as tables of SQL, and what templates may use.

    functions    to_code, rules_table_sql, rules_table_statements
    sizes        estimate: how long and how deep the SQL of a model is, before it is sent to a warehouse
    languages    Language: how names, values and tests are written. Give it and a template to `to_code`
    templates    the classes named ...Context, RulesQuery and StoredTable have a field for each name that templates may
                 use; the other classes are the types of these fields
    headers      opening_in(text) reads the first line of an emitted file

`treerules` has to_python, to_javascript, to_sql and to_dbt. Each name is loaded when it is first used.
"""

from typing import TYPE_CHECKING

from treerules._internal.lazy_package import lazy_package

# isort: off
if TYPE_CHECKING:  # for editors and type checkers: the same names as in _NAMES
    from treerules.emit.custom import CodeContext as CodeContext, to_code as to_code
    from treerules.emit.dbt import Accepted as Accepted, DbtContext as DbtContext
    from treerules.emit.dbt_variants import Variant as Variant
    from treerules.emit.header import Opening as Opening, opening_in as opening_in
    from treerules.emit.javascript import JavascriptContext as JavascriptContext, JavascriptLoad as JavascriptLoad
    from treerules.emit.javascript_ensemble import JavascriptEnsembleContext as JavascriptEnsembleContext
    from treerules.emit.javascript_lookup import JavascriptLookup as JavascriptLookup
    from treerules.emit.javascript_plain import PlainJavascriptContext as PlainJavascriptContext
    from treerules.emit.python.ensemble_arrays import EnsembleArraysContext as EnsembleArraysContext
    from treerules.emit.python.ensemble_module import EnsembleContext as EnsembleContext
    from treerules.emit.python.lookup_code import LookupParts as LookupParts
    from treerules.emit.python.module_context import PythonContext as PythonContext, PythonLoad as PythonLoad
    from treerules.emit.python.plain_module import PlainContext as PlainContext
    from treerules.emit.python.plain_script import PlainScript as PlainScript
    from treerules.emit.python.vectorized import VectorizedContext as VectorizedContext
    from treerules.emit.sql.lookup import Answer as Answer, Lookup as Lookup, PrintedCut as PrintedCut
    from treerules.emit.sql.result_columns import Output as Output
    from treerules.emit.sql.rules_table import rules_table_sql as rules_table_sql
    from treerules.emit.sql.rules_table import rules_table_statements as rules_table_statements
    from treerules.emit.sql.rules_table_context import AskedColumn as AskedColumn, RulesQuery as RulesQuery
    from treerules.emit.sql.rules_table_context import StoredTable as StoredTable
    from treerules.emit.sql.size import SqlSize as SqlSize, estimate as estimate
    from treerules.emit.sql.stages import Stage as Stage, StageSum as StageSum
    from treerules.emit.sql.statement import SqlContext as SqlContext
    from treerules.emit.template_records import PrintedFeature as PrintedFeature, PrintedLine as PrintedLine
    from treerules.emit.template_records import PrintedRule as PrintedRule
    from treerules.sql.language import Language as Language
# isort: on

#: The public names by the module that defines them, below treerules.
_NAMES = {
    "emit.custom": "CodeContext to_code",
    "emit.dbt": "Accepted DbtContext",
    "emit.dbt_variants": "Variant",
    "emit.header": "Opening opening_in",
    "emit.javascript": "JavascriptContext JavascriptLoad",
    "emit.javascript_ensemble": "JavascriptEnsembleContext",
    "emit.javascript_lookup": "JavascriptLookup",
    "emit.javascript_plain": "PlainJavascriptContext",
    "emit.python.ensemble_arrays": "EnsembleArraysContext",
    "emit.python.ensemble_module": "EnsembleContext",
    "emit.python.lookup_code": "LookupParts",
    "emit.python.module_context": "PythonContext PythonLoad",
    "emit.python.plain_module": "PlainContext",
    "emit.python.plain_script": "PlainScript",
    "emit.python.vectorized": "VectorizedContext",
    "emit.sql.lookup": "Answer Lookup PrintedCut",
    "emit.sql.result_columns": "Output",
    "emit.sql.rules_table": "rules_table_sql rules_table_statements",
    "emit.sql.rules_table_context": "AskedColumn RulesQuery StoredTable",
    "emit.sql.size": "SqlSize estimate",
    "emit.sql.stages": "Stage StageSum",
    "emit.sql.statement": "SqlContext",
    "emit.template_records": "PrintedFeature PrintedLine PrintedRule",
    "sql.language": "Language",
}

__all__, __getattr__, __dir__ = lazy_package(__name__, _NAMES)
