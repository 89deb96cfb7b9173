"""Pausing the garbage collector."""

import gc
from collections.abc import Iterator
from threading import Barrier, Thread

import pytest

from treerules import Table, cart, learn
from treerules._internal.paused_gc import paused_gc
from treerules.trees import tree_from_json, tree_to_json


@pytest.fixture(autouse=True)
def collector() -> Iterator[None]:
    """Leave the collector as pytest has it."""
    was_enabled = gc.isenabled()
    gc.enable()
    yield
    gc.unfreeze()
    (gc.enable if was_enabled else gc.disable)()


def test_the_collector_is_off_within_and_on_again_afterwards() -> None:
    """Nested pauses too, as a context and as a decorator."""

    @paused_gc()
    def is_enabled() -> bool:
        return gc.isenabled()

    with paused_gc():
        assert not gc.isenabled()
        assert not is_enabled()
        assert not gc.isenabled()
    assert gc.isenabled()


def test_an_exception_ends_the_pause() -> None:
    """However deep it was raised."""
    with pytest.raises(ZeroDivisionError), paused_gc(), paused_gc():
        1 / 0  # noqa: B018
    assert gc.isenabled()


def test_a_collector_that_the_user_switched_off_stays_off() -> None:
    """And what `gc.freeze` put aside stays there."""
    gc.disable()
    gc.freeze()
    frozen = gc.get_freeze_count()
    with paused_gc():
        pass
    text = tree_to_json(learn(Table.from_columns({"x": [1, 2], "y": ["a", "b"]}), target="y", recipe=cart()))
    tree_from_json(text)
    assert not gc.isenabled()
    assert gc.get_freeze_count() > frozen / 2  # `unfreeze` would leave none


def test_the_last_of_several_threads_switches_the_collector_on() -> None:
    """While any thread pauses it, it is off."""
    inside, leave = Barrier(9), Barrier(9)
    seen = []

    def run(place: int) -> None:
        for _ in range(place):
            with paused_gc():
                pass
        with paused_gc():
            inside.wait()
            seen.append(gc.isenabled())
            leave.wait()

    threads = [Thread(target=run, args=(place,)) for place in range(8)]
    for thread in threads:
        thread.start()
    inside.wait()
    assert not gc.isenabled()
    leave.wait()
    for thread in threads:
        thread.join()
    assert seen == [False] * 8
    assert gc.isenabled()
