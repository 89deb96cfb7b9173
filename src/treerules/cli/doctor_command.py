"""`treerules doctor`: what is installed."""

import click

from treerules.cli.doctor import DOCTOR, installation
from treerules.cli.output import LANG, format_option, print_report


@click.command("doctor")
@format_option(DOCTOR)
@LANG
def doctor_command(format_: str | None, lang: str) -> None:
    """List what is installed: versions, extras, encodings, engines."""
    print_report(DOCTOR, installation(), format_=format_, lang=lang)
