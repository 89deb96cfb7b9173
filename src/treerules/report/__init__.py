"""The formats of each result, which `treerules.render` writes, and reports of your own.

    REPORTS           the reports by type of result  FORMATS          every format that some result has
    Report            a row of REPORTS; `tables_report` makes one of tables and a record
    Reviews           the verdicts on several files, in one report
    report_page       a page about a model, with a form that predicts
    write_parquet     predictions as a Parquet file

Each name is loaded when it is first used: `REPORTS` loads the modules of all results.
"""

from typing import TYPE_CHECKING

from treerules._internal.lazy_package import lazy_package

# isort: off
if TYPE_CHECKING:  # for editors and type checkers: the same names as in _NAMES
    from treerules.report.page.report_page import report_page as report_page
    from treerules.report.parquet import write_parquet as write_parquet
    from treerules.report.render_result import FORMATS as FORMATS
    from treerules.report.report import Heading as Heading, Page as Page, Report as Report
    from treerules.report.report import ReportOption as ReportOption, tables_report as tables_report
    from treerules.report.reports import REPORTS as REPORTS
    from treerules.report.reviews import Reviews as Reviews
# isort: on

#: The public names by the module that defines them, below treerules.
_NAMES = {
    "report.page.report_page": "report_page",
    "report.parquet": "write_parquet",
    "report.render_result": "FORMATS",
    "report.report": "Heading Page Report ReportOption tables_report",
    "report.reports": "REPORTS",
    "report.reviews": "Reviews",
}

__all__, __getattr__, __dir__ = lazy_package(__name__, _NAMES)
