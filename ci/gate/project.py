"""A copy of the project, and its build, for the scripts that patch it."""

import json
import os
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


def replaced(path, old, new):
    """Replaces a text that occurs in a file exactly once."""
    text = path.read_text()
    if text.count(old) != 1:
        sys.exit(f"{path.name}: found {text.count(old)} times what is to be patched, expected it once: {old}")
    path.write_text(text.replace(old, new))


def add_switch(tree, text):
    """Gives the crate that all others use a module `mutants`, which says which mutant is on."""
    (tree / "crates/simd/src/mutants.rs").write_text(text)
    with (tree / "crates/simd/src/lib.rs").open("a") as lib:
        lib.write("\n#[doc(hidden)]\npub mod mutants;\n")


def cargo(tree, target, flags, *words):
    """Runs cargo in a copy, with a target folder and flags for the compiler; returns the run and its messages, as objects."""
    environment = os.environ | {"CARGO_TARGET_DIR": str(target), "RUSTFLAGS": flags}
    run = subprocess.run(["cargo", *words, "--message-format", "json"], cwd=tree, env=environment, stdout=subprocess.PIPE, text=True)
    return run.returncode, [json.loads(line) for line in run.stdout.splitlines()]


def errors(messages):
    """Returns the compiler's errors among cargo's messages."""
    return [m["message"] for m in messages if m.get("reason") == "compiler-message" and m["message"]["level"] == "error"]


def artifacts(code, messages, what):
    """Returns what a run of cargo built; prints the compiler's errors and exits if it failed."""
    if code != 0:
        print(*(error["rendered"] for error in errors(messages)), file=sys.stderr)
        sys.exit(f"{what} does not compile")
    return [m for m in messages if m.get("reason") == "compiler-artifact" and m["executable"]]
