"""The sections of the recording, in their order: the kernels come last, since all uses them once they are loaded."""

from behaviour import (
    changing,
    commands,
    compiled,
    defaults,
    drawing_rules,
    emitting,
    failures,
    growing,
    judging,
    parsing,
    predicting,
    pruned,
    reading,
    reports,
    spelling,
    values,
    verdicts,
)

#: Each yields names and texts.
SECTIONS = {
    "learning": growing.recorded,
    "pruning": pruned.recorded,
    "relearning": pruned.relearned,
    "selection": pruned.selected,
    "predictions": predicting.recorded,
    "reading": reading.recorded,
    "parsing": parsing.recorded,
    "verdicts": verdicts.recorded,
    "emitting": emitting.recorded,
    "reports": reports.recorded,
    "errors": failures.recorded,
    "values": values.recorded,
    "editing": changing.recorded,
    "spelling": spelling.recorded,
    "testing": drawing_rules.recorded,
    "verify": judging.recorded,
    "defaults": defaults.recorded,
    "commands": commands.recorded,
    "compiled": compiled.recorded,
}
