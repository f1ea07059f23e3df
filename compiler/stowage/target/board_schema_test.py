# SPDX-License-Identifier: Apache-2.0
"""The schema is the manual for whoever writes a board file, so each thing in it has to be described."""

from __future__ import annotations

from collections.abc import Iterator

from google.protobuf import descriptor_pb2

from stowage.target.board_schema import new_board_message, schema_descriptor

Path = tuple[int, ...]
_MESSAGE, _ENUM, _FIELD, _VALUE = 4, 5, 2, 2


def _things(schema: descriptor_pb2.FileDescriptorProto) -> Iterator[tuple[str, Path]]:
    """The name of each message, field, enum and value, and its path in the descriptor."""
    for i, message in enumerate(schema.message_type):
        yield message.name, (_MESSAGE, i)
        for j, field in enumerate(message.field):
            yield f"{message.name}.{field.name}", (_MESSAGE, i, _FIELD, j)
    for i, enum in enumerate(schema.enum_type):
        yield enum.name, (_ENUM, i)
        for j, value in enumerate(enum.value):
            yield f"{enum.name}.{value.name}", (_ENUM, i, _VALUE, j)


def test_every_message_field_and_value_is_described() -> None:
    schema = schema_descriptor()
    described = {
        tuple(location.path) for location in schema.source_code_info.location if location.leading_comments.strip()
    }
    things = dict(_things(schema))
    assert len(things) > 60
    assert [name for name, path in things.items() if path not in described] == []


def test_the_message_has_the_fields_of_the_schema() -> None:
    (board,) = (message for message in schema_descriptor().message_type if message.name == "Board")
    fields = [field.name for field in new_board_message().DESCRIPTOR.fields]
    assert fields == [field.name for field in board.field]
