# SPDX-License-Identifier: Apache-2.0
"""The rule `stowage_model`: a model file becomes a C library for whatever board it is built for."""

load("@rules_cc//cc:defs.bzl", "CcInfo")
load("@rules_cc//cc:find_cc_toolchain.bzl", "use_cc_toolchain")
load(":board_info.bzl", "BoardInfo")
load(":c_name.bzl", "c_name")
load(":c_toolchain.bzl", "compile_sources")
load(":compiler_action.bzl", "run_compiler")
load(":extents.bzl", "sizes")
load(":model_info.bzl", "StowageModelInfo")

# By attribute: the option of the compiler that takes its one file or its text.
_QUANTISATION = {
    "calibration": "--calibration",
    "interface": "--interface",
    "labelled_inputs": "--labelled-inputs",
    "labels": "--labels",
    "largest_error": "--largest-error",
    "min_accuracy": "--min-accuracy",
    "quantize": "--quantize",
    "ranges": "--ranges",
}
_QUANTISATION_FILES = ["calibration", "labelled_inputs", "labels"]

_STAGES = {
    "graph": "prune",
    "schedule": "schedule",
    "plan": "plan",
    "program": "program",
}

_SUFFIXES = [
    ".h",
    "_arena.h",
    "_weights.h",
    ".c",
    "_weights.c",
    "_memory.txt",
    "_memory.json",
    "_memory.html",
]

# What a model of several sizes has beside what each of them has.
_COMMON_SUFFIXES = [
    ".h",
    "_weights.h",
    ".c",
    "_weights.c",
    "_memory.txt",
    "_memory.json",
    "_memory.html",
]
_QUANTISATION_SUFFIXES = ["_quantisation.txt", "_quantisation.json"]
_TRANSFER_SUFFIXES = ["_transfers.txt", "_transfers.json", "_transfers.html", "_transfers.trace.json"]

def _quantisation(ctx):
    """The options of the attributes that are set, and the files that they name."""
    arguments, files = [], []
    for attribute, option in _QUANTISATION.items():
        value = getattr(ctx.file if attribute in _QUANTISATION_FILES else ctx.attr, attribute)
        if value:
            arguments += [option, value]
        if value and attribute in _QUANTISATION_FILES:
            files.append(value)
    for node in ctx.attr.keep_float:
        arguments += ["--keep-float", node]
    return arguments, files

def _request(ctx, name):
    """How the compiler makes the model, for whatever board."""
    arguments = [ctx.file.model, "--name", name]
    for option, pairs in {
        "--dimension": ctx.attr.dimensions,
        "--constant": ctx.attr.constants,
        "--state": ctx.attr.state,
        "--arena": ctx.attr.arenas,
    }.items():
        for key, value in pairs.items():
            arguments += [option, "{}={}".format(key, value)]
    if ctx.attr.ram:
        arguments += ["--ram", ctx.attr.ram]
    if not ctx.attr.npu:
        arguments.append("--no-npu")
    if ctx.attr.stream_input:
        arguments.append("--stream-input")
    quantisation, samples = _quantisation(ctx)
    return struct(
        arguments = arguments + quantisation + (["--prefetch"] if ctx.attr.prefetch else []),
        inputs = [ctx.file.model] + ctx.files.data + samples,
        suffixes = _SUFFIXES + (_QUANTISATION_SUFFIXES if ctx.attr.quantize else []) +
                   (_TRANSFER_SUFFIXES if ctx.attr.prefetch else []),
    )

def _declare(ctx, name, suffixes):
    """Declares what the compiler makes of one size: files by suffix, and dumps by kind."""
    folder = ctx.label.name + ".stowage/"
    return struct(
        name = name,
        files = {suffix: ctx.actions.declare_file(folder + name + suffix) for suffix in suffixes},
        dumps = {kind: ctx.actions.declare_file("{}{}.{}.mlir".format(folder, name, stage)) for kind, stage in _STAGES.items()},
    )

def _generate(ctx, board, request, made, common):
    """Registers the compiler's action, which makes all sizes and what they have in common."""
    run_compiler(
        ctx,
        command = ["compile"],
        board = board,
        out = made[0].files[".c"].dirname,
        stages = _STAGES.values(),
        arguments = request.arguments,
        inputs = request.inputs,
        outputs = common.values() + [file for each in made for file in each.files.values() + each.dumps.values()],
        mnemonic = "StowageCompile",
        what = "%{label}",
    )

def _info(whole, files, sizes, attributes):
    """What the rules are told of a model, with what is the same for all of its sizes in `whole`."""
    return StowageModelInfo(
        name = whole.name,
        headers = whole.headers,
        sources = whole.sources,
        header = whole.name + ".h",
        include = whole.include,
        size = {},
        sizes = sizes,
        run = "{}_run({{}}{})".format(whole.name, "".join([", {}_arena_{}".format(whole.name, each) for each in attributes.arenas])),
        arena = whole.name + "_arena",
        library = None,
        memory_text = files["_memory.txt"],
        memory_json = files["_memory.json"],
        request = whole.request,
        prefetch = attributes.prefetch,
        arenas = attributes.arenas.keys(),
        stream_input = attributes.stream_input,
    )

def _size_info(whole, made, size, library):
    """What they are told of one size, which runs by the model's entry point in the model's arena."""
    return StowageModelInfo(
        name = made.name,
        headers = whole.headers,
        sources = whole.sources,
        header = whole.name + ".h",
        include = whole.include,
        size = size,
        sizes = [],
        run = "{}_run({{}}{})".format(whole.name, "".join([", {}u".format(extent) for extent in size.values()])),
        arena = whole.name + "_arena",
        library = library,
        memory_text = made.files["_memory.txt"],
        memory_json = made.files["_memory.json"],
        request = whole.request,
        prefetch = False,
        arenas = [],
        stream_input = False,
    )

def _stowage_model_impl(ctx):
    name = c_name(ctx.label, ctx.attr.c_name)
    request = _request(ctx, name)
    wanted = sizes(ctx.attr.dimensions)
    made = [_declare(ctx, "_".join([name] + [str(extent) for extent in size.values()]), request.suffixes) for size in wanted]
    folder = ctx.label.name + ".stowage/"
    suffixes = _COMMON_SUFFIXES if len(wanted) > 1 else []
    common = {suffix: ctx.actions.declare_file(folder + name + suffix) for suffix in suffixes}
    _generate(ctx, ctx.attr._board[BoardInfo], request, made, common)
    headers, sources, reports = [
        [file for files in [common] + [each.files for each in made] for suffix, file in files.items() if suffix.endswith(endings)]
        for endings in [(".h",), (".c",), (".txt", ".json", ".html")]
    ]
    whole = struct(name = name, headers = headers, sources = sources, include = sources[0].dirname, request = request)
    library = compile_sources(
        ctx,
        name = ctx.label.name,
        sources = sources,
        headers = headers,
        includes = [whole.include],
        deps = [ctx.attr._runtime[CcInfo]] + ([ctx.attr._dma[CcInfo]] if ctx.attr.prefetch else []),
    )
    each_size = [_size_info(whole, each, size, library) for each, size in zip(made, wanted)] if common else []
    return [
        DefaultInfo(files = depset(headers + sources)),
        library,
        _info(whole, common or made[0].files, each_size, ctx.attr),
        OutputGroupInfo(
            c = depset(headers + sources),
            report = depset(reports),
            **{kind: depset([each.dumps[kind] for each in made]) for kind in _STAGES}
        ),
    ]

stowage_model = rule(
    implementation = _stowage_model_impl,
    doc = """Compiles a neural network to C and makes a library of it.

The library is compiled for whatever board the target that depends on it is built for, so that one `stowage_model` serves every
firmware; built by itself it is for the host. Include `"<name>.h"`, which is the model's manual, and call `<name>_run`.

Output groups: `graph`, `schedule`, `plan`, `program` (the compiler's levels as MLIR text), `c` (the generated sources) and `report`
(the memory report as text, JSON and a page of HTML with the plan drawn; that of quantisation as text and JSON).

With `quantize` a float model becomes int8 in the build; docs/quantisation.md says how, and what the other attributes mean for it.""",
    attrs = {
        "model": attr.label(
            doc = "The model: a `.onnx` or `.tflite` file.",
            allow_single_file = [".onnx", ".tflite"],
            mandatory = True,
        ),
        "c_name": attr.string(
            doc = "The C identifier that prefixes all generated names; the target's name if empty.",
        ),
        "data": attr.label_list(
            doc = "Files that the model keeps its weights in, if it does not hold them itself.",
            allow_files = True,
        ),
        "dimensions": attr.string_dict(
            doc = """Extents of symbolic dimensions, for instance `{\"batch\": \"1\"}`. A dimension may have several, as a list
(`\"10,20,50\"`), as a range (`\"10..13\"`) or as one with steps (`\"16..64/16\"`, which is 16, 32, 48 and 64): each, or each combination
where several dimensions do, gets a plan of its own. All have one arena, as large as the largest needs, constants that are stored once,
and one entry point, `<name>_run(arena, extent…)`, with the extents in this order; for any other size it returns an error before it
touches anything. `<name>.h` says what each size takes and gives, `<name>_10.h` more of one. States are the same bytes at every size.
A model of several sizes is none for `quantize` and `stowage_pool`.""",
        ),
        "constants": attr.string_dict(
            doc = """Inputs that are constants of this build, by name: their elements with commas between them, for instance
`{\"rate\": \"16000\", \"axes\": \"0,2\"}`. They are no inputs of the C library any more, and what hangs on them alone (shapes, the branch of
an If) is decided here.""",
        ),
        "state": attr.string_dict(
            doc = """What a streaming model keeps from run to run: names of outputs by names of inputs, for instance
`{\"h_in\": \"h_out\"}`. In each run the input holds what the output held after the last; both are neither inputs nor outputs of
the C library any more, but bytes of the arena that nothing else uses. `<name>_reset` sets them to zero (quantised: to the zero point).""",
        ),
        "ram": attr.string(
            doc = """The most that the arena may take, for instance `"20KiB"`. Where the model would take more, parts of it run in stripes:
wide tensors are made a few rows at a time and never are whole. Results are the same to the bit; docs/tiles.md says what it costs. A
limit that cannot be reached fails the build, which names the least that can.""",
        ),
        "stream_input": attr.bool(
            doc = """Whether the input, an image, is fed by rows while the model runs, as a camera delivers them, so that it never is whole
in the arena. The run is then `<name>_run(arena, &source)`, with a `struct stw_row_source` (`stowage/rows.h`) whose function is called for
each row once, from the first to the last; where it returns anything but 0 the run ends with `STW_INPUT_ERROR`, and the next one works.
What reads the input runs in stripes, and more with `ram`; docs/tiles.md says how to use it. For models with one input, by themselves:
not in a pool, of several sizes, nor with `prefetch` or `arenas`; all of it runs on the processor.""",
        ),
        "arenas": attr.string_dict(
            doc = """Arenas in further regions of the board's, each with the most that the model may take there, for instance
`{"dtcm": "16KiB", "sdram": "1MiB"}`. A name is that of one of the board's regions for `arena` or `arena_fast`, or `fast` for
whichever is its first for `arena_fast`. Every buffer lies where reading and writing it costs least by the board's figures, as far as
there is room; inputs, outputs and states stay in the arena. The run is then `<name>_run(arena, arena_dtcm, arena_sdram)`, in this
order, and `<name>_arena_dtcm` a default one, which the linker places. On a board whose fast region is that of the arena nothing lies
in `fast`, and on the host, which has one memory, in none. Not for models of a pool or of several sizes, nor with `prefetch`; not for a test with `guard`.""",
        ),
        "prefetch": attr.bool(
            doc = """Whether weights are brought into the arena by DMA, ahead of the steps that read them, where the board's costs say
that it pays: from a slower region. The arena grows, to all of its region or to `ram`. The run then needs interrupts enabled, and returns
`STW_DEVICE_ERROR` where a copy fails. The timeline is in the reports `<name>_transfers.txt`, `.json`, `.html` and `.trace.json`, the last
for Perfetto. On a board without a DMA controller it changes nothing. Not for models of a pool or of several sizes.""",
        ),
        "npu": attr.bool(
            doc = "Whether the NPU of a board that has one computes what it can of the model; hal/npu/README.md says what that is.",
            default = True,
        ),
        "quantize": attr.string(
            doc = "`int8` turns a float model into one of 8-bit integers; left empty, the model is compiled as it is.",
            values = ["", "int8"],
        ),
        "calibration": attr.label(
            doc = "Sample inputs to measure ranges on: `.npz` with an array an input, or `.npy` for a model of one input; the first axis " +
                  "counts samples.",
            allow_single_file = [".npy", ".npz"],
        ),
        "ranges": attr.string(
            doc = "How the ranges of activations are chosen: `min-max`, `percentile`, `mse`, `kl`, or `best` of these, the default.",
        ),
        "keep_float": attr.string_list(doc = "Names of nodes that stay float, as the quantisation report has them."),
        "largest_error": attr.string(
            doc = "Error of the outputs, for instance `\"0.02\"` of their size, down to which nodes are kept float, the worst first.",
        ),
        "interface": attr.string(
            doc = "Type of inputs and outputs: `int8`, the default, which takes a quarter of the memory, or `float`.",
        ),
        "labelled_inputs": attr.label(
            doc = "Inputs to measure accuracy on, as `calibration`.",
            allow_single_file = [".npy", ".npz"],
        ),
        "labels": attr.label(
            doc = "The class of each of the labelled inputs: whole numbers.",
            allow_single_file = [".npy"],
        ),
        "min_accuracy": attr.string(
            doc = "Share of the labelled inputs, for instance `\"0.965\"`, that the int8 model must classify rightly, or it is not built.",
        ),
        "_board": attr.label(default = "//tools/rules:board", providers = [BoardInfo]),
        "_compiler": attr.label(default = "//compiler/stowage:compiler", executable = True, cfg = "exec"),
        "_dma": attr.label(default = "//hal:dma", providers = [CcInfo]),
        "_runtime": attr.label(default = "//runtime", providers = [CcInfo]),
    },
    provides = [CcInfo, StowageModelInfo],
    toolchains = use_cc_toolchain(),
    fragments = ["cpp"],
)
