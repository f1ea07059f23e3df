# SPDX-License-Identifier: Apache-2.0
"""The C identifier that prefixes all names that are generated for a target."""

def c_name(label, given = ""):
    """The identifier of a target.

    Args:
      label: the target's
      given: what the user asks for instead, if anything

    Returns:
      the given one, or the target's name with underscores for what C does not take
    """
    return given or label.name.replace("-", "_").replace(".", "_")
