"""A copy of the project, and the errors of its build, for the scripts that patch it."""

import json
import pathlib
import shutil
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent


def copy(tree):
    """Copies the project's files, tracked or not ignored, to `tree`."""
    names = subprocess.run(["git", "ls-files", "-z", "-c", "-o", "--exclude-standard"], cwd=ROOT, capture_output=True,
                           check=True, text=True).stdout
    shutil.rmtree(tree, ignore_errors=True)
    for name in filter(None, names.split("\0")):
        if (ROOT / name).is_file():
            (tree / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(ROOT / name, tree / name)


def messages(build):
    """Returns the messages of a run of cargo, as objects."""
    return [json.loads(line) for line in build.stdout.splitlines()]


def require_success(build, what):
    """Prints the compiler's errors and exits if a build failed."""
    if build.returncode == 0:
        return
    for message in messages(build):
        if message.get("reason") == "compiler-message" and message["message"]["level"] == "error":
            print(message["message"]["rendered"], file=sys.stderr)
    sys.exit(f"{what} does not compile")
