"""Starts the program that this package installs, for `python -m pupil_lsp` and `pipx run pupil-lsp`."""

import os
import subprocess
import sys
import sysconfig


def find_program():
    """Returns the path of the program, which pip installs with the scripts of the environment."""
    name = "pupil.exe" if os.name == "nt" else "pupil"
    user = sysconfig.get_preferred_scheme("user") if hasattr(sysconfig, "get_preferred_scheme") else None
    folders = [sysconfig.get_path("scripts")]
    if user is not None:
        folders.append(sysconfig.get_path("scripts", scheme=user))
    # With `pip install --target`, the scripts are next to the package.
    folders.append(os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), "bin"))
    for folder in folders:
        path = os.path.join(folder, name)
        if os.path.isfile(path):
            return path
    sys.exit("pupil: program not found in " + ", ".join(folders))


def main():
    program = find_program()
    if os.name == "nt":
        sys.exit(subprocess.call([program, *sys.argv[1:]]))
    os.execv(program, [program, *sys.argv[1:]])


if __name__ == "__main__":
    main()
