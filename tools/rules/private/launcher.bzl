# SPDX-License-Identifier: Apache-2.0
"""A test's executable: a script that calls a program of the runfiles with arguments that were known at analysis."""

_SCRIPT = """\
#!/bin/sh
exec {command} "$@"
"""

def launcher(ctx, program, arguments, files, transitive = []):
    """Writes the script and gathers what it needs.

    Args:
      ctx: the test rule's context
      program: the program's Target, an executable
      arguments: strings, and Files whose runfiles path is meant
      files: Files that the program reads
      transitive: depsets of further Files

    Returns:
      a DefaultInfo for the test
    """
    script = ctx.actions.declare_file(ctx.label.name + ".sh")
    executable = program[DefaultInfo].files_to_run.executable
    words = [_word(executable)] + [_word(argument) for argument in arguments]
    ctx.actions.write(script, _SCRIPT.format(command = " \\\n    ".join(words)), is_executable = True)
    runfiles = ctx.runfiles(files, transitive_files = depset(transitive = transitive))
    return DefaultInfo(executable = script, runfiles = runfiles.merge(program[DefaultInfo].default_runfiles))

def _word(argument):
    text = argument.short_path if type(argument) == "File" else argument
    return "'{}'".format(text.replace("'", "'\\''"))
