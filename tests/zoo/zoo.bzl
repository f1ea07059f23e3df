# SPDX-License-Identifier: Apache-2.0
"""zoo_targets: what is built, run and judged of every model of the zoo."""

load("//tools/rules/private:qemu_test.bzl", "stowage_trial")
load(":records_program.bzl", "zoo_command", "zoo_test")
load(":zoo_model.bzl", "zoo_model")
load(":zoo_result.bzl", "zoo_result")
load(":zoo_watch.bzl", "zoo_watch")

_BOARDS = {
    "host": "//boards/host",
    "mps2_an386": "//boards/mps2_an386",
    "mps3_an547": "//boards/mps3_an547",
}

# Where models are run as poison builds under guard too.
_WATCHED = ["mps2_an386"]

# Models that are watched and guarded in an image each, since their records leave it out: arenas of more than measure.py's
# WATCHED_ARENA_BYTES. `:watched_test` fails where one is missing.
_WATCHED_APART = [
    "magika_v1_fp32",
    "mcunet_in3_fp32",
    "mediapipe_face_detection_fp32",
    "mediapipe_selfie_seg_fp32",
    "ulf_rfb_fp32",
]

# The files that a model may come as: the name of its targets, and of what is expected of its first output.
_FORMS = {
    "model.onnx": ("onnx", "output_0.npy"),
    "model_qdq.onnx": ("qdq", "output_qdq.npy"),
    "model.tflite": ("tflite", "output_tflite.npy"),
}

def zoo_targets(models):
    """Declares `<model>_<board>_test` for every model and board, a suite a board, the table, and tests of all records.

    Args:
      models: the names of the files of each model, by the model's name
    """
    records = []
    watched = []
    arenas = []
    tests = {board: [] for board in _BOARDS}
    for model, files in models.items():
        forms = [form for form, (_, expected) in _FORMS.items() if form in files and expected in files]
        for board in _BOARDS:
            made = [_record(model, files, form, board) for form in forms]
            if board in _WATCHED:
                watched += made
            if board in _WATCHED and model in _WATCHED_APART:
                watched += [_watch(model, files, form, board) for form in forms]
            if made:
                zoo_test(
                    name = "{}_{}_test".format(model, board),
                    size = "small",
                    program = ":judge",
                    records = made,
                )
                tests[board].append("{}_{}_test".format(model, board))
                records += made
        for form in forms:
            _model(model, files, form)
            arenas.append(":" + _stem(model, form))
    zoo_command(
        name = "table",
        testonly = True,
        program = ":table_program",
        records = records,
        visibility = ["//docs:__pkg__"],
    )
    if records:
        _suites(tests)
        zoo_test(
            name = "table_test",
            size = "small",
            data = ["//docs:zoo.md"],
            program = ":table_program",
            records = records,
            words = ["--check"],
        )
        zoo_test(
            name = "watched_test",
            size = "small",
            program = ":watched",
            records = watched,
        )
        zoo_test(
            name = "arena_test",
            size = "small",
            data = ["//docs:arena.md"],
            program = "//tools/bench:arena",
            records = arenas,
            words = ["--check"],
        )

def _file(model, name):
    return "@stowage_zoo//:models/{}/{}".format(model, name)

def _numbered(files, first):
    """What is there of the files of all inputs or outputs: output_0, output_1, ..., or output_qdq, output_qdq_1, ..."""
    stem = first.removesuffix(".npy").removesuffix("_0")
    return [first] + [name for name in ["{}_{}.npy".format(stem, index) for index in range(1, 100)] if name in files]

def _stem(model, form):
    return "{}.{}".format(model, _FORMS[form][0])

def _model(model, files, form):
    zoo_model(
        name = _stem(model, form),
        testonly = True,
        data = [_file(model, name) for name in files if not name.endswith(".npy") and not name.startswith("model")],
        model = _file(model, form),
        tags = ["manual"],
    )

def _record(model, files, form, board):
    stem = _stem(model, form)
    stowage_trial(
        name = "{}.{}.image".format(stem, board),
        testonly = True,
        board = _BOARDS[board],
        model = ":" + stem,
        tags = ["manual"],
    )
    watched = "{}.{}.watched.image".format(stem, board)
    if board in _WATCHED:
        stowage_trial(
            name = watched,
            testonly = True,
            board = _BOARDS[board],
            guard = True,
            model = ":" + stem,
            poison = True,
            tags = ["manual"],
        )
    zoo_result(
        name = "{}.{}".format(stem, board),
        testonly = True,
        expected = [_file(model, name) for name in _numbered(files, _FORMS[form][1])],
        host = None if board == "host" else ":{}.host".format(stem),
        inputs = [_file(model, name) for name in _numbered(files, "input_0.npy")],
        meta = _file(model, "meta.json") if "meta.json" in files else None,
        model = _file(model, form),
        tags = ["manual"],
        trial = ":{}.{}.image".format(stem, board),
        watched = ":" + watched if board in _WATCHED else None,
    )
    return ":{}.{}".format(stem, board)

def _watch(model, files, form, board):
    stem = _stem(model, form)
    for kind in ["poison", "guarded"]:
        stowage_trial(
            name = "{}.{}.{}.image".format(stem, board, kind),
            testonly = True,
            board = _BOARDS[board],
            guard = kind == "guarded",
            model = ":" + stem,
            poison = kind == "poison",
            tags = ["manual"],
        )
    zoo_watch(
        name = "{}.{}.watch".format(stem, board),
        testonly = True,
        guarded = ":{}.{}.guarded.image".format(stem, board),
        inputs = [_file(model, name) for name in _numbered(files, "input_0.npy")],
        model = _file(model, form),
        poison = ":{}.{}.poison.image".format(stem, board),
        tags = ["manual"],
        trial = ":{}.{}.image".format(stem, board),
    )
    return ":{}.{}.watch".format(stem, board)

def _suites(tests):
    for board, names in tests.items():
        native.test_suite(
            name = board,
            tests = names,
        )
