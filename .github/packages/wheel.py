"""Builds the Python wheel that contains a program: wheel.py TARGET BINARY OUT

The platform tag of a dynamically linked program follows from the symbols of glibc that it needs, so that
pip never installs it where it does not start.
"""

import base64
import hashlib
import json
import pathlib
import re
import subprocess
import sys
import zipfile

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parent.parent
# The earliest date of a ZIP file: equal content results in equal wheels.
EPOCH = (1980, 1, 1, 0, 0, 0)


def platform_tags(target, program):
    """Returns the tags of the platforms where the program starts, see PEP 425, 600 and 656."""
    processor = target.split("-")[0]
    if target.endswith("-linux-gnu"):
        minor = max(int(it) for it in re.findall(rb"GLIBC_2\.(\d+)", program))
        return [f"manylinux_2_{minor}_{processor}"]
    if target.endswith("-linux-musl"):
        # Statically linked: it runs with every C library.
        return [f"manylinux_2_17_{processor}", f"manylinux2014_{processor}", f"musllinux_1_1_{processor}"]
    tags = {
        "x86_64-apple-darwin": ["macosx_10_12_x86_64"],
        "aarch64-apple-darwin": ["macosx_11_0_arm64"],
        "x86_64-pc-windows-msvc": ["win_amd64"],
    }
    if target not in tags:
        sys.exit(f"wheel: no wheels for {target}")
    return tags[target]


def metadata(project):
    lines = [
        "Metadata-Version: 2.4",
        "Name: pupil-lsp",
        f"Version: {project['version']}",
        f"Summary: {project['description']}",
        f"License-Expression: {project['license']}",
        "License-File: LICENSE",
        "Keywords: puppet,openvox,language-server,lsp,linter,formatter",
        "Requires-Python: >=3.7",
        "Description-Content-Type: text/markdown",
    ]
    if project["repository"]:
        lines.append(f"Project-URL: Repository, {project['repository']}")
    return "\n".join([*lines, "", (HERE / "python/README.md").read_text(encoding="utf-8")])


def write(wheel, records, name, content, mode=0o644):
    info = zipfile.ZipInfo(name, EPOCH)
    info.external_attr = (0o100000 | mode) << 16
    info.compress_type = zipfile.ZIP_DEFLATED
    # ZIP files that are written on Windows hold no permissions by default.
    info.create_system = 3
    wheel.writestr(info, content)
    digest = base64.urlsafe_b64encode(hashlib.sha256(content).digest()).rstrip(b"=").decode()
    records.append(f"{name},sha256={digest},{len(content)}")


def main():
    target, binary, out = sys.argv[1:]
    program = pathlib.Path(binary).read_bytes()
    project = json.loads(subprocess.check_output(["node", str(HERE / "project.mjs")]))
    tags = platform_tags(target, program)
    base = f"pupil_lsp-{project['version']}"
    info = f"{base}.dist-info"
    name = "pupil.exe" if "windows" in target else "pupil"
    headers = ["Wheel-Version: 1.0", "Generator: pupil", "Root-Is-Purelib: false", *(f"Tag: py3-none-{it}" for it in tags)]
    files = {
        "pupil_lsp/__init__.py": b"",
        "pupil_lsp/__main__.py": (HERE / "python/__main__.py").read_bytes(),
        f"{info}/METADATA": metadata(project).encode(),
        f"{info}/WHEEL": "\n".join([*headers, ""]).encode(),
        f"{info}/entry_points.txt": b"[console_scripts]\npupil-lsp = pupil_lsp.__main__:main\n",
        f"{info}/licenses/LICENSE": (ROOT / "LICENSE").read_bytes(),
    }
    folder = pathlib.Path(out)
    folder.mkdir(parents=True, exist_ok=True)
    records = []
    with zipfile.ZipFile(folder / f"{base}-py3-none-{'.'.join(tags)}.whl", "w") as wheel:
        write(wheel, records, f"{base}.data/scripts/{name}", program, 0o755)
        for path, content in files.items():
            write(wheel, records, path, content)
        record = "\n".join([*records, f"{info}/RECORD,,", ""])
        write(wheel, [], f"{info}/RECORD", record.encode())


main()
