"""`treerules certify`: a certificate of an optimal tree, checked on the table."""

from pathlib import Path
from typing import Any

import click

from treerules._internal.atomic_files import read_bytes
from treerules.cli.file_kinds import refuse_table
from treerules.cli.input_paths import PATH
from treerules.cli.model_options import load_tree
from treerules.cli.output import LANG, format_option, print_text, report_text
from treerules.cli.table_options import csv_options, read_file, whole_schema
from treerules.errors import ModelFileError
from treerules.proof.certificate_check import certify
from treerules.proof.certificate_files import load_certificate
from treerules.report.certificate_report import CERTIFICATE
from treerules.trees.model_files import MOST_BYTES


@click.command("certify")
@click.argument("certificate", type=PATH, metavar="CERTIFICATE")
@click.option("--data", type=PATH, required=True, metavar="FILE", help="Read the rows from this file.")
@click.option("--model", type=PATH, metavar="MODEL", help="Measure the cost of this model too.")
@format_option(CERTIFICATE, default="text")
@LANG
@csv_options
def certify_command(certificate: Path, data: Path, model: Path | None, format_: str, lang: str, **options: Any) -> int:
    """Check the certificate of an optimal tree.

    CERTIFICATE is a file of `learn --certificate`. Everything is computed afresh from the rows of --data: that no tree
    of its depth costs less than it says. A claim that is not proved comes with the reason, and with exit code 1.
    """
    try:
        claimed = load_certificate(certificate)
    except ModelFileError:
        refuse_table(certificate, read_bytes(certificate, MOST_BYTES), "a certificate")
        raise
    weight = [claimed.weight] if claimed.weight else []
    table = read_file(data, options, schema=whole_schema(claimed.schema), extra_columns=weight)
    check = certify(claimed, table, tree=None if model is None else load_tree(model, has_option=False))
    print_text(report_text(CERTIFICATE, check, format_=format_, lang=lang, file=str(certificate)))
    return 0 if check.is_valid else 1
