# SPDX-License-Identifier: Apache-2.0
"""Names that Python 3.12 removed and that the installer of rules_python 0.22.1 still looks up when it is imported.

It registers them as keys only; no object of either class exists. Python imports this file by its name when it starts.
"""

import pkgutil

for _name in ("ImpImporter", "ImpLoader"):
    if not hasattr(pkgutil, _name):
        setattr(pkgutil, _name, type(_name, (), {}))
