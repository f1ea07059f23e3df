# SPDX-License-Identifier: Apache-2.0
"""existing_targets: a list of targets that there are."""

def _existing_targets_impl(ctx):
    listed = ctx.actions.declare_file(ctx.label.name + ".txt")
    labels = [str(target.label).lstrip("@") for target in ctx.attr.targets]
    ctx.actions.write(listed, "\n".join(labels) + "\n")
    return [DefaultInfo(
        files = depset([listed]),
        runfiles = ctx.runfiles([listed]),
    )]

existing_targets = rule(
    implementation = _existing_targets_impl,
    doc = "Writes the targets' labels into `<name>.txt`. They have to exist, and are not built for it.",
    attrs = {
        "targets": attr.label_list(
            doc = "The targets.",
            mandatory = True,
        ),
    },
)
