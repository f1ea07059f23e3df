# SPDX-License-Identifier: Apache-2.0
"""Tables of buffers: what they mean, that offsets come back as given places, and what is refused, with the line."""

from __future__ import annotations

from pathlib import Path

import pytest

from stowage.memory.planner import place
from stowage.memory.problem import Buffer
from stowage.memory.problem_table import parse_table, read_table
from stowage.memory.region_table import parse_regions
from stowage.memory.regions import MemoryRegion, Traffic
from stowage.memory.table_rows import InvalidTable


def test_a_table_means_buffers_whose_lives_end_before_upper() -> None:
    table = parse_table("id,lower,upper,size,alignment,offset\nb1,0,3,4,,\nb2, 3 ,9,4,8,16\n\n")
    assert table.problem.buffers == (Buffer("b1", 4, 1, 0, 2), Buffer("b2", 4, 8, 3, 8, 16))
    assert not table.problem.in_place


def test_columns_may_come_in_any_order_and_others_are_kept() -> None:
    table = parse_table('size,what,id,upper,lower\n4,"a, b",x,3,0\n')
    assert table.problem.buffers == (Buffer("x", 4, 1, 0, 2),)
    assert table.placed([12]) == 'size,what,id,upper,lower,offset\n4,"a, b",x,3,0,12\n'


def test_placed_offsets_read_back_as_given_places() -> None:
    table = parse_table("id,lower,upper,size\na,0,3,4\nb,3,9,4\nc,0,9,4\nd,2,5,1\n")
    placement = place(table.problem)
    again = parse_table(table.placed(placement.offsets_bytes))
    assert tuple(buffer.fixed_bytes for buffer in again.problem.buffers) == placement.offsets_bytes
    assert place(again.problem).offsets_bytes == placement.offsets_bytes
    assert again.placed(placement.offsets_bytes) == table.placed(placement.offsets_bytes)


def test_apart_names_other_buffers() -> None:
    table = parse_table("id,lower,upper,size,apart\na,0,1,4,\nb,1,2,4,\nc,2,3,4,a b\n")
    assert table.problem.apart == (("c", "a"), ("c", "b"))
    assert place(table.problem).peak_bytes == 8


REGIONS = "name,capacity,read_cost,write_cost,alignment\nfast,64,1,2,\nslow,1024,4,4,8\n"


def test_a_table_of_regions() -> None:
    assert parse_regions(REGIONS) == (MemoryRegion("fast", 64, 1, 1, 2), MemoryRegion("slow", 1024, 8, 4, 4))


def test_buffers_say_where_they_may_lie_and_how_often_they_are_touched() -> None:
    table = parse_table("id,lower,upper,size,read,written,region,offset\na,0,1,4,,,,\nb,0,1,4,40,8,slow,16\n")
    problem = table.in_regions(parse_regions(REGIONS))
    assert problem.traffic == (Traffic(4, 4), Traffic(40, 8))
    assert problem.allowed == (frozenset({0, 1}), frozenset({1}))
    assert table.placed([0, 16], ["fast", "slow"]).splitlines()[1:] == ["a,0,1,4,,,fast,0", "b,0,1,4,40,8,slow,16"]


BROKEN_REGIONS = {
    "name,size\n": 'line 1: has no column "capacity"; begin with a header such as name,capacity.',
    "name,capacity\n": "line 2: there is no region; give each region a line.",
    "name,capacity\na b,1\n": 'line 2: name "a b" is not one word; give a name without spaces.',
    "name,capacity\na,1\na,2\n": 'line 3: name "a" is that of line 2 too; give each another name.',
}


@pytest.mark.parametrize(("text", "sentence"), BROKEN_REGIONS.items())
def test_a_broken_table_of_regions_is_refused_with_its_line(text: str, sentence: str) -> None:
    with pytest.raises(InvalidTable) as refusal:
        parse_regions(text)
    assert str(refusal.value) == sentence


BROKEN_PLACES = {
    "id,lower,upper,size,region\na,0,1,4,quick\n": 'line 2: region "quick" is not among those given; '
    "name some of fast, slow.",
    "id,lower,upper,size,offset\na,0,1,4,8\n": "line 2: an offset is given, but not in which region; "
    "name one of fast, slow.",
}


@pytest.mark.parametrize(("text", "sentence"), BROKEN_PLACES.items())
def test_a_place_in_no_region_is_refused_with_its_line(text: str, sentence: str) -> None:
    with pytest.raises(InvalidTable) as refusal:
        parse_table(text).in_regions(parse_regions(REGIONS))
    assert str(refusal.value) == sentence


MOST = "give one of at most 1,099,511,627,776."
GOOD = "id,lower,upper,size,alignment,offset\n"
REFUSED = {
    "": 'line 1: has no column "id"; begin with a header such as id,lower,upper,size.',
    "id,lower,upper\n": 'line 1: has no column "size"; begin with a header such as id,lower,upper,size.',
    "id,lower,upper,size,id\n": 'line 1: has two columns "id"; keep one of them.',
    f"{GOOD}a,0,1,4,,\nb,0,1,4\n": "line 3: has 4 fields, the header 6; give each column a field.",
    f"{GOOD}a,0,1,four,,\n": f'line 2: size "four" is no number that is positive; {MOST}',
    f"{GOOD}a,0,1,-4,,\n": f'line 2: size "-4" is no number that is positive; {MOST}',
    f"{GOOD}a,0,1,0,,\n": f'line 2: size "0" is no number that is positive; {MOST}',
    f"{GOOD}a,0,1,4_0,,\n": f'line 2: size "4_0" is no number that is positive; {MOST}',
    f"{GOOD}a,,1,4,,\n": f'line 2: lower "" is no number that is 0 or positive; {MOST}',
    f"{GOOD}a,0,2000000000000,4,,\n": f'line 2: upper "2000000000000" is no number that is 0 or positive; {MOST}',
    f"{GOOD}a,5,5,4,,\n": "line 2: lower 5 is not below upper 5; give a life of one moment or more.",
    f"{GOOD}a,0,1,4,6,\n": f'line 2: alignment "6" is no number that is a power of two; {MOST}',
    f"{GOOD}a,0,1,4,,\n\na,0,1,4,,\n": 'line 4: id "a" is that of line 2 too; give each another id.',
    f"{GOOD}a,0,1,4,4,6\n": 'line 2: buffer "a" lies at 6, which is no multiple of 4; change its offset, or leave it '
    "empty for the planner to choose.",
    f"{GOOD}a,0,2,4,,8\nb,0,1,4,,\nc,1,2,4,,5\n": 'line 4: buffers "a" and "c" share bytes at 8 and 5; change its '
    "offset, or leave it empty for the planner to choose.",
    f'{GOOD}"a,0,1\n': "line 2: is no CSV (unexpected end of data); write fields with commas between.",
}


@pytest.mark.parametrize(("text", "sentence"), REFUSED.items())
def test_a_broken_table_is_refused_with_its_line(text: str, sentence: str) -> None:
    with pytest.raises(InvalidTable) as refusal:
        parse_table(text)
    assert str(refusal.value) == sentence


def test_a_file_is_named(tmp_path: Path) -> None:
    file = tmp_path / "problem.csv"
    with pytest.raises(InvalidTable, match=r"problem\.csv: can't be read: No such file"):
        read_table(file)
    file.write_bytes(b"id\xff")
    with pytest.raises(InvalidTable, match=r"problem\.csv: can't be read: it is not UTF-8 text"):
        read_table(file)
    file.write_text("id\n")
    with pytest.raises(InvalidTable, match=r'problem\.csv: line 1: has no column "lower"'):
        read_table(file)
