# SPDX-License-Identifier: Apache-2.0
"""Makes every file of this folder again: the model, the frames of a stream, and what ONNX Runtime answers."""

import os
from pathlib import Path

from examples.stream.network import write

if __name__ == "__main__":
    workspace = os.environ.get("BUILD_WORKSPACE_DIRECTORY")
    for name in write(Path(workspace) / "examples" / "stream" if workspace else Path(__file__).parent):
        print(name)
