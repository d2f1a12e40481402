"""
The build hook that puts compiled modules into a wheel.

It is off unless ``HATCH_BUILD_HOOKS_ENABLE=1`` is set, and always off for an editable
install.
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
    Compiles in a separate directory, and adds the results to the wheel.

    The source stays in the wheel for readers: Python prefers the compiled module if
    both are there.
    """

    PLUGIN_NAME = "custom"

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """
        Compile, and include the results.
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
        Delete the results.
        """
        del build_data, artifact_path
        if version != "editable":
            self.work.cleanup()
