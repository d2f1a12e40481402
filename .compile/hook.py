"""
The hook of the build that puts compiled modules into a wheel.

It is off unless ``HATCH_BUILD_HOOKS_ENABLE=1`` asks for it, and never on for an
editable install.
"""

from __future__ import annotations

import subprocess
import sys
import tempfile

from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface


class Compiled(BuildHookInterface[Any]):
    """
    Compiles in a directory of its own, and adds what came of it to the wheel.

    The source stays in the wheel too, for whoever reads it: Python takes the compiled
    module where both are there.
    """

    PLUGIN_NAME = "custom"

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """
        Compile, and have what was compiled included.
        """
        if version == "editable":
            return
        self.work = tempfile.TemporaryDirectory(ignore_cleanup_errors=True)
        script = Path(self.root, ".compile", "compiling.py")
        given = map(str, (script, Path(self.root, "src"), self.work.name))
        subprocess.run([sys.executable, *given], check=True)
        build_data["force_include"][str(Path(self.work.name, "compiled"))] = "/"
        build_data["pure_python"] = False
        build_data["infer_tag"] = True

    def finalize(
        self,
        version: str,
        build_data: dict[str, Any],
        artifact_path: str,
    ) -> None:
        """
        Throw away what was compiled.
        """
        del build_data, artifact_path
        if version != "editable":
            self.work.cleanup()
