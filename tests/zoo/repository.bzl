# SPDX-License-Identifier: Apache-2.0
"""zoo_repository: the folder of real models that STOWAGE_ZOO names, as a repository; an empty one where it names none."""

_VARIABLE = "STOWAGE_ZOO"

def _models(rctx, zoo):
    """The files of each model, by name: of every folder that has a file called model.something."""
    models = {}
    for folder in zoo.readdir():
        if not folder.is_dir:
            continue
        names = sorted([file.basename for file in folder.readdir() if not file.is_dir])
        if [name for name in names if name.startswith("model.")]:
            models[folder.basename] = names
    return models

def _zoo_repository_impl(rctx):
    models = {}
    folder = rctx.os.environ.get(_VARIABLE, "")
    if folder:
        zoo = rctx.path(folder)
        if not zoo.exists or not zoo.is_dir:
            fail("%s names %s, which is no folder: name one with models, or unset it" % (_VARIABLE, folder))
        models = _models(rctx, zoo)
        for model, files in models.items():
            for file in files:
                rctx.symlink(zoo.get_child(model).get_child(file), "models/%s/%s" % (model, file))
    rctx.file("BUILD.bazel", 'exports_files(glob(["models/**"], allow_empty = True))\n')
    rctx.file("models.bzl", '"""The models, and the files of each."""\n\nMODELS = %s\n' % json.encode_indent(models))

zoo_repository = repository_rule(
    implementation = _zoo_repository_impl,
    doc = "Has every model's files below models/, and models.bzl with MODELS: a dictionary from model to its files' names.",
    environ = [_VARIABLE],
    local = True,
)
