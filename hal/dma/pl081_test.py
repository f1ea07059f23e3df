# SPDX-License-Identifier: Apache-2.0
"""pl081.c against a model of the device that is slower, less orderly and less reliable than the emulator's."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hal.dma.pl081_device import BASE, SIZE, Controller, fill, load, started

CHANNELS = 4
DONE, RUNNING, BUSY, UNREACHABLE, MISALIGNED, ERROR, TIMEOUT, UNKNOWN = range(8)


@pytest.fixture(scope="module", params=[False, True], ids=["uncached", "cached"])
def library(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Controller]:
    library = load(tmp_path_factory.mktemp("pl081"), request.param)
    yield library
    library.model_end()


SIZES = st.sampled_from([0, 1, 4, 5, 31, 4095, 4096, 8190, 8192, 16380, 16384])
COPIES = st.lists(st.tuples(st.integers(0, 63), st.integers(0, 64), SIZES), min_size=1, max_size=CHANNELS)


@settings(deadline=None, max_examples=100)
@given(copies=COPIES, order=st.permutations(range(CHANNELS)), seed=st.integers(0, 2**32 - 1))
def test_copies_in_flight_arrive_whole_and_touch_nothing_else(
    library: Controller, copies: list[tuple[int, int, int]], order: list[int], seed: int
) -> None:
    device, grain = started(library, seed), library.grain
    expected = bytearray(fill(device))
    in_flight: list[int] = []
    for slot, (shift, origin, most) in enumerate(copies):
        to, source, size = slot * 0x4400 + shift // grain * grain, 0x1_2000 + origin, most // grain * grain
        in_flight.append(device.start(to, source, size))
        expected[to : to + size] = expected[source : source + size]
    assert [device.wait(in_flight[i]) for i in order if i < len(copies)] == [DONE] * len(copies)
    assert bytes(device.memory) == bytes(expected)
    assert library.model_violations() == 0


def test_a_copy_beyond_a_piece_goes_in_pieces_of_words(library: Controller) -> None:
    device = started(library)
    assert device.copy(0, 0x1_0000, 16384) == DONE
    assert [event for event in device.log() if event.startswith("m")] == ["m20000000+fff", "m20003ffc+1"]


@pytest.mark.parametrize("broken", [0x1_0000, 0x1_0000 + 20000], ids=["at once", "in mid-run"])
def test_an_error_of_the_bus_ends_the_wait_and_the_next_copy_works(library: Controller, broken: int) -> None:
    device = started(library)
    expected = fill(device)
    library.model_break(BASE + broken)
    other = device.start(0x8000, 0xC000, 4096)
    assert device.copy(0, 0x1_0000, 24576) == ERROR
    assert device.wait(other) == DONE
    library.model_break(0)
    assert device.copy(0, 0x1_0000, 24576) == DONE
    assert bytes(device.memory[:24576]) == expected[0x1_0000 : 0x1_0000 + 24576]
    assert library.model_violations() == 0


def test_a_controller_that_does_not_answer_is_given_up(library: Controller) -> None:
    device = started(library)
    expected = fill(device)
    library.model_hold(1)
    handle = device.start(0, 0x1_0000, 64)
    assert library.stw_hal_dma_poll(handle) == RUNNING
    assert device.wait(handle) == TIMEOUT
    library.model_hold(0)
    assert [device.copy(0x100, 0x1_0000, 64) for _ in range(2 * CHANNELS)] == [DONE] * 2 * CHANNELS
    assert bytes(device.memory[:64]) == expected[:64], "what was given up does not arrive later"
    assert library.model_violations() == 0


def test_channels_are_used_up_and_come_back(library: Controller) -> None:
    device = started(library)
    handles = [device.start(i * 64, 0x1_0000, 64) for i in range(CHANNELS)]
    assert sorted(handles) == list(range(CHANNELS))
    assert device.copy(0x1000, 0x1_0000, 64) == BUSY
    assert [device.wait(handle) for handle in handles] == [DONE] * CHANNELS
    assert [device.wait(handle) for handle in handles] == [UNKNOWN] * CHANNELS
    assert library.stw_hal_dma_channels() == CHANNELS


@pytest.mark.parametrize(
    ("to", "source"), [(SIZE, 0), (0, SIZE), (SIZE - 32, 0), (0, SIZE - 32), (-64, 0), (0x1_8000 - 32, 0)]
)
def test_what_is_not_reached_from_end_to_end_is_not_started(library: Controller, to: int, source: int) -> None:
    device = started(library)
    expected = fill(device)
    assert device.copy(to, source, 64) == UNREACHABLE
    assert bytes(device.memory) == expected


def test_the_cache_is_cleaned_before_and_dropped_after(library: Controller) -> None:
    device = started(library)
    assert device.copy(0x40, 0x1_0000, 64) == DONE
    assert device.log() == ["c20010000+40", "x20000040+40", "m20000040+10", "d20000040+40"]


def test_lines_of_the_cache_are_not_shared_with_a_copy(library: Controller) -> None:
    device = started(library)
    refused = MISALIGNED if library.grain == 32 else DONE
    assert [device.copy(16, 0x1_0000, 64), device.copy(32, 0x1_0000, 48)] == [refused, refused]
    assert device.copy(32, 0x1_0001, 64) == DONE
