"""The command line's group of all commands."""

import click

from treerules._internal.version import __version__
from treerules.cli.command_group import CommandGroup, Entry

COMMANDS = {
    "build": Entry("build_command", "build_command", "Do it all: print rules and verdict, write the code."),
    "check": Entry("check_commands", "check_command", "Prove the rules of each FILE exclusive and complete."),
    "compile": Entry("check_commands", "compile_command", "Make a model of RULES that were written by hand."),
    "diff": Entry("compare_commands", "diff_command", "Say where OLD and NEW answer differently, exactly."),
    "doctor": Entry("show_commands", "doctor_command", "Say what is installed: versions, extras, encodings, engines."),
    "emit": Entry("emit_commands", "emit", "Print a model as code."),
    "evaluate": Entry(
        "evaluate_commands", "evaluate_command", "Say how well MODEL predicts FILE, which has the target too."
    ),
    "explain": Entry(
        "compare_commands",
        "explain_command",
        "Say which rule of M fires for a row, why, and what would change the answer.",
    ),
    "gains": Entry("show_commands", "gains_command", "Print what each feature tells about the target."),
    "importances": Entry("evaluate_commands", "importances_command", "Say what MODEL owes to each feature."),
    "learn": Entry("learn_command", "learn_command", "Learn a tree from FILE and print the model (JSON)."),
    "predict": Entry("predict_command", "predict_command", "Predict each row of FILE by MODEL."),
    "prune": Entry("prune_commands", "prune_command", "Prune MODEL and print the smaller model (JSON)."),
    "relearn": Entry(
        "prune_commands",
        "relearn_command",
        "Learn MODEL again from FILE, by its own recipe, and print the model (JSON).",
    ),
    "rules": Entry("rules_command", "rules_command", "Print the rules of MODEL with their figures."),
    "score": Entry("compare_commands", "score_command", "Say how RULES fare on the rows of FILE, whoever made them."),
    "show": Entry("show_commands", "show_command", "Draw MODEL: as text, Mermaid or DOT."),
    "verify": Entry(
        "verify_command",
        "verify_command",
        "Run emitted code on rows where the answers of MODEL may change, and compare.",
    ),
}


@click.group(
    cls=CommandGroup,
    entries=COMMANDS,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
)
@click.version_option(__version__, prog_name="treerules")
def app() -> None:
    """Learn a decision tree, compile it into rules proved exclusive and complete, ship them as Python or SQL."""
