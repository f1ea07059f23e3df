# SPDX-License-Identifier: Apache-2.0
"""A browser without a window, told what to do over a pipe in the Chrome DevTools Protocol.

Messages are JSON, each ended by a zero byte; the browser reads its file descriptor 3 and writes 4.
"""

from __future__ import annotations

import base64
import contextlib
import json
import os
import select
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

_FONTS = """\
<?xml version="1.0"?>
<!DOCTYPE fontconfig SYSTEM "fonts.dtd">
<fontconfig><dir>{fonts}</dir><cachedir>{cache}</cachedir></fontconfig>
"""
_LAUNCH = """\
import os, sys
os.dup2(int(sys.argv[1]), 3)
os.dup2(int(sys.argv[2]), 4)
os.execv(sys.argv[3], sys.argv[3:])
"""
_PATIENCE_SECONDS = 60
Message = dict[str, Any]


class Browser:
    """A running browser with one page.

    Attributes:
        events: what the browser told unasked, in order.
    """

    def __init__(self, requests: int, answers: int) -> None:
        self.events: list[Message] = []
        self._requests, self._answers = requests, answers
        self._number, self._session, self._rest = 0, "", b""
        target = self.ask("Target.createTarget", url="about:blank")["targetId"]
        self._session = self.ask("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        for domain in ("Page", "Runtime", "Log", "Network"):
            self.ask(f"{domain}.enable")
        self.ask("Emulation.setFocusEmulationEnabled", enabled=True)

    def ask(self, method: str, **parameters: object) -> Message:
        """Calls a method and returns its result.

        Raises:
            RuntimeError: the browser refuses, is gone, or does not answer in time.
        """
        self._number += 1
        request: Message = {"id": self._number, "method": method, "params": parameters}
        if self._session:
            request["sessionId"] = self._session
        os.write(self._requests, json.dumps(request).encode() + b"\0")
        answer = next(message for message in self._messages() if message.get("id") == self._number)
        if "error" in answer:
            raise RuntimeError(f"{method}: {answer['error']['message']}")
        result: Message = answer["result"]
        return result

    def open(self, page: Path, width: int, height: int, scheme: str = "light") -> None:
        """Shows a file in a window of so many pixels, in a colour scheme, and waits until it is loaded."""
        self.ask("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1, mobile=False)
        self.ask("Emulation.setEmulatedMedia", features=[{"name": "prefers-color-scheme", "value": scheme}])
        self.events.clear()
        self.ask("Page.navigate", url=page.as_uri())
        if not any(event["method"] == "Page.loadEventFired" for event in self.events):
            next(message for message in self._messages() if message.get("method") == "Page.loadEventFired")

    def value(self, expression: str) -> Any:
        """What an expression in JavaScript is on the page.

        Raises:
            RuntimeError: it throws.
        """
        told = self.ask("Runtime.evaluate", expression=expression, returnByValue=True)
        if "exceptionDetails" in told:
            raise RuntimeError(json.dumps(told["exceptionDetails"]))
        return told["result"].get("value")

    def point_at(self, x: float, y: float) -> None:
        """Moves the pointer."""
        self.ask("Input.dispatchMouseEvent", type="mouseMoved", x=x, y=y)

    def press(self, key: str) -> None:
        """Presses and releases a key, for instance "Tab"."""
        code = {"Tab": 9, "ArrowRight": 39}[key]
        for kind in ("keyDown", "keyUp"):
            self.ask("Input.dispatchKeyEvent", type=kind, key=key, code=key, windowsVirtualKeyCode=code)

    def keep_picture(self, name: str) -> None:
        """A screenshot of the page goes where Bazel keeps what tests leave behind."""
        if folder := os.environ.get("TEST_UNDECLARED_OUTPUTS_DIR"):
            picture = self.ask("Page.captureScreenshot", captureBeyondViewport=True)["data"]
            Path(folder, f"{name}.png").write_bytes(base64.b64decode(picture))

    def complaints(self) -> list[Message]:
        """What the page wrote to the console or threw, since it was opened."""
        kinds = {"Runtime.consoleAPICalled", "Runtime.exceptionThrown", "Log.entryAdded"}
        return [event for event in self.events if event["method"] in kinds]

    def requested(self) -> list[str]:
        """The addresses that the page asked for, since it was opened."""
        asked = (event for event in self.events if event["method"] == "Network.requestWillBeSent")
        return [event["params"]["request"]["url"] for event in asked]

    def _messages(self) -> Iterator[Message]:
        """What comes from the browser; events are kept too."""
        until = time.monotonic() + _PATIENCE_SECONDS
        while True:
            while b"\0" in self._rest:
                text, _, self._rest = self._rest.partition(b"\0")
                message: Message = json.loads(text)
                if "method" in message:
                    self.events.append(message)
                yield message
            if not select.select([self._answers], [], [], max(0.0, until - time.monotonic()))[0]:
                raise RuntimeError(f"the browser said nothing for {_PATIENCE_SECONDS} s")
            told = os.read(self._answers, 1 << 16)
            if not told:
                raise RuntimeError("the browser is gone")
            self._rest += told


@contextlib.contextmanager
def browser(program: Path, folder: Path) -> Iterator[Browser]:
    """A browser that runs as long as the context, and keeps what it keeps in a folder.

    Args:
        program: the headless shell of the repository @chromium.
        folder: an empty one.
    """
    (folder / "fonts.conf").write_text(_FONTS.format(fonts=program.parents[2] / "share/fonts", cache=folder / "fonts"))
    (from_us, to_browser), (from_browser, to_us) = os.pipe(), os.pipe()
    options = ["--no-sandbox", "--no-zygote", "--disable-gpu", "--hide-scrollbars", "--remote-debugging-pipe"]
    options += [f"--user-data-dir={folder / 'profile'}", f"--browser-subprocess-path={program}"]
    process = subprocess.Popen(
        [sys.executable, "-c", _LAUNCH, str(from_us), str(to_us), str(program), *options],
        pass_fds=(from_us, to_us),
        env={**os.environ, "FONTCONFIG_FILE": str(folder / "fonts.conf"), "HOME": str(folder)},
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    os.close(from_us)
    os.close(to_us)
    try:
        yield Browser(to_browser, from_browser)
    finally:
        os.close(to_browser)
        os.close(from_browser)
        process.kill()
        process.wait()
