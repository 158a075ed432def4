"""Examples in docstrings, in the guide and whole programs run as written."""

import doctest
import importlib
import inspect
import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[4]
NAMES = ["kontakt", "kontakt.convex", "kontakt.trimesh", "kontakt.fcl", "kontakt._scene", "kontakt._drag", "kontakt._bound", "kontakt._kontakt"]
EXAMPLES = sorted((ROOT / "examples/python").glob("*.py"))


def documented(what, seen):
    """What has a docstring: the thing itself and, of a class, its members. The finder of doctest passes over functions made in Rust."""
    if id(what) in seen:
        return
    seen.add(id(what))
    yield getattr(what, "__qualname__", getattr(what, "__name__", "")), getattr(what, "__doc__", None)
    if inspect.isclass(what) or inspect.ismodule(what):
        for key, member in sorted(vars(what).items()):
            if not key.startswith("__") and (inspect.isclass(what) or getattr(member, "__module__", "").startswith("kontakt")):
                yield from documented(getattr(member, "__func__", member), seen)


@pytest.mark.parametrize("name", NAMES)
def test_docstrings(name):
    runner, parser = doctest.DocTestRunner(), doctest.DocTestParser()
    tried = 0
    for own, text in documented(importlib.import_module(name), set()):
        if isinstance(text, str) and ">>>" in text:
            tried += runner.run(parser.get_doctest(text, {}, f"{name}.{own}", None, None)).attempted
    assert tried > 0 and runner.failures == 0


def test_everything_public_is_documented():
    import kontakt as kt

    for name in set(kt.__all__) - {"__version__"}:
        what = getattr(kt, name)
        assert (what.__doc__ or "").strip(), name
        if inspect.isclass(what):
            for key, member in vars(what).items():
                # Attributes of a dict and what Python itself calls need no word.
                if not key.startswith("_"):
                    assert (getattr(member, "__doc__", None) or "").strip(), f"{name}.{key}"


def test_the_guide(monkeypatch):
    monkeypatch.chdir(ROOT)
    found = doctest.testfile(str(ROOT / "docs/guide/python.md"), module_relative=False)
    assert found.attempted > 15 and found.failed == 0


@pytest.mark.parametrize("program", EXAMPLES, ids=lambda path: path.stem)
def test_examples(program, tmp_path):
    done = subprocess.run(
        [sys.executable, program, "--quick", "--output", tmp_path], capture_output=True, text=True, timeout=120,
        env={**os.environ, "MPLBACKEND": "Agg", "PYTHONDONTWRITEBYTECODE": "1"},
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout.strip()


def test_there_are_examples():
    assert len(EXAMPLES) >= 4
