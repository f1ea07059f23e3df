# SPDX-License-Identifier: Apache-2.0
"""The schema of board files as protobuf classes, made from `hal/proto/board.proto` itself.

The schema is compiled when it is first needed, in a few milliseconds, by the protoc that `grpcio-tools` carries. So
there is no generated code to keep, and one way for Bazel, tests and the command line alike.
"""

from __future__ import annotations

import functools
import tempfile
from pathlib import Path
from typing import Any

from google.protobuf import descriptor_pb2, descriptor_pool, message_factory
from grpc_tools import protoc

SCHEMA = Path(__file__).parents[3] / "hal" / "proto" / "board.proto"


@functools.cache
def schema_descriptor() -> descriptor_pb2.FileDescriptorProto:
    """The parsed schema with its comments.

    Raises:
        RuntimeError: the schema itself doesn't parse (a defect of Stowage; protoc has said why on stderr).
    """
    with tempfile.TemporaryDirectory() as folder:
        out = Path(folder) / "descriptor_set"
        arguments = [f"-I{SCHEMA.parent}", "--include_source_info", f"--descriptor_set_out={out}", str(SCHEMA)]
        if protoc.main(["protoc", *arguments]) != 0:
            raise RuntimeError(f"{SCHEMA} is not a valid protobuf schema")
        (descriptor,) = descriptor_pb2.FileDescriptorSet.FromString(out.read_bytes()).file
    return descriptor


def new_board_message() -> Any:
    """An empty `stowage.Board` message. Its class is made at run time, so its fields are unknown to a type checker."""
    pool = descriptor_pool.DescriptorPool()
    pool.Add(schema_descriptor())
    return message_factory.GetMessageClass(pool.FindMessageTypeByName("stowage.Board"))()
