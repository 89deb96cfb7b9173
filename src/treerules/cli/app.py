"""The command line's group of all commands."""

import click

from treerules._internal.version import __version__
from treerules.cli.command_group import CommandGroup, Entry

COMMANDS = {
    "build": Entry("build_command", "build_command", "Learn a tree from FILE, check it, and write its code."),
    "certify": Entry("certify_command", "certify_command", "Check the certificate of an optimal tree."),
    "check": Entry("check_command", "check_command", "Prove the rules of each FILE exclusive and complete."),
    "compile": Entry("compile_command", "compile_command", "Make a model of RULES that were written by hand."),
    "diff": Entry("diff_command", "diff_command", "Show where OLD and NEW answer differently, exactly."),
    "doctor": Entry(
        "doctor_command", "doctor_command", "List what is installed: versions, extras, encodings, engines."
    ),
    "emit": Entry("emit_commands", "emit", "Print a model as code."),
    "evaluate": Entry("evaluate_command", "evaluate_command", "Measure how well MODEL predicts FILE."),
    "explain": Entry(
        "explain_command",
        "explain_command",
        "Explain the answer for one row.",
    ),
    "gains": Entry("gains_command", "gains_command", "Print the gain of each feature."),
    "help": Entry("help_command", "help_command", "Explain a command, an error or a code such as TR001."),
    "import": Entry("import_command", "import_command", "Import a model FILE of another library and print it (JSON)."),
    "importances": Entry(
        "importances_command", "importances_command", "Print the importance of each feature to MODEL."
    ),
    "learn": Entry("learn_command", "learn_command", "Learn a tree from FILE and print the model (JSON)."),
    "predict": Entry("predict_command", "predict_command", "Predict each row of FILE by MODEL."),
    "prune": Entry("prune_command", "prune_command", "Prune MODEL and print the smaller model (JSON)."),
    "relearn": Entry(
        "relearn_command",
        "relearn_command",
        "Learn MODEL again from FILE by its own recipe.",
    ),
    "report": Entry("report_command", "report_command", "Write a page about a model, with a form that predicts."),
    "rules": Entry("rules_command", "rules_command", "Print the rules of MODEL with their figures."),
    "score": Entry("score_command", "score_command", "Print the metrics of RULES on the rows of FILE."),
    "show": Entry("show_command", "show_command", "Draw MODEL as text, SVG, HTML, Mermaid or DOT (Graphviz)."),
    "verify": Entry(
        "verify_command",
        "verify_command",
        "Compare the answers of emitted code with MODEL.",
    ),
}


@click.group(
    cls=CommandGroup,
    entries=COMMANDS,
    groups=("emit",),
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
)
@click.version_option(__version__, prog_name="treerules")
def app() -> None:
    """Learn a decision tree, compile it into rules proved exclusive and complete, ship them as Python or SQL."""
