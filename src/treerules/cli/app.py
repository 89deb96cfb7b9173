"""The group of all commands. A command's module is loaded when it is run, so that --help waits for none of them."""

from importlib import import_module

import click
from attrs import frozen

from treerules._internal.version import __version__


@frozen
class Entry:
    """Where a command stands: a module beside this one, its name there, and the sentence that --help lists it with."""

    module: str
    attribute: str
    summary: str


COMMANDS = {
    "build": Entry("build_commands", "build_command", "Do it all: print rules and verdict, write the code."),
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
    "learn": Entry("build_commands", "learn_command", "Learn a tree from FILE and print the model (JSON)."),
    "predict": Entry("predict_command", "predict_command", "Predict each row of FILE by MODEL."),
    "prune": Entry("prune_commands", "prune_command", "Prune MODEL and print the smaller model (JSON)."),
    "relearn": Entry(
        "prune_commands",
        "relearn_command",
        "Learn MODEL again from FILE, by its own recipe, and print the model (JSON).",
    ),
    "rules": Entry("build_commands", "rules_command", "Print the rules of MODEL with their figures."),
    "score": Entry("compare_commands", "score_command", "Say how RULES fare on the rows of FILE, whoever made them."),
    "show": Entry("show_commands", "show_command", "Draw MODEL: as text, Mermaid or DOT."),
    "verify": Entry(
        "verify_command",
        "verify_command",
        "Run emitted code on rows where the answers of MODEL may change, and compare.",
    ),
}


class CommandGroup(click.Group):
    """A group that loads a command when it is asked for."""

    def list_commands(self, context: click.Context) -> list[str]:
        """Return the names of the commands, in the order of the alphabet."""
        return sorted(COMMANDS)

    def get_command(self, context: click.Context, name: str) -> click.Command | None:
        """Return the command of that name; None where there is none."""
        entry = COMMANDS.get(name)
        if entry is None:
            return None
        module = import_module(f"treerules.cli.{entry.module}")  # late: --help lists commands without loading them
        command: click.Command = getattr(module, entry.attribute)
        return command

    def format_commands(self, context: click.Context, formatter: click.HelpFormatter) -> None:
        """List the commands, by their entries alone."""
        listed = [click.Command(name, help=entry.summary) for name, entry in COMMANDS.items()]
        click.Group(commands=listed).format_commands(context, formatter)


@click.group(cls=CommandGroup, context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100})
@click.version_option(__version__, prog_name="treerules")
def app() -> None:
    """Learn a decision tree, compile it into rules proved exclusive and complete, ship them as Python or SQL."""
