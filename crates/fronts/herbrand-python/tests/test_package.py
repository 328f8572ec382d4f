"""Tests of the installed package: the command, docstrings, licences."""

from __future__ import annotations

import importlib.metadata
import importlib.util
import re
import subprocess
import sys
import sysconfig
from pathlib import Path
from typing import Any

import pytest

import herbrand
from herbrand import _herbrand

from conftest import ROOT

PACKAGE = Path(__file__).resolve().parents[1]


def run(*command: str, **options: Any) -> subprocess.CompletedProcess[str]:
    return subprocess.run(command, capture_output=True, text=True, timeout=120, check=False, **options)


def test_the_command_is_installed() -> None:
    (entry,) = importlib.metadata.entry_points(group="console_scripts", name="herbrand")
    assert entry.value == "herbrand.__main__:main"
    program = Path(sysconfig.get_path("scripts")) / "herbrand"
    for command in ([str(program)], [sys.executable, "-m", "herbrand"]):
        version = run(*command, "--version")
        assert (version.returncode, version.stdout) == (0, f"herbrand {herbrand.__version__}\n")
        shown = run(*command, "show", "blocks", "--problem", "01")
        assert shown.returncode == 0 and "(on-table" in shown.stdout


def test_the_command_has_the_programs_exit_status(tmp_path: Path) -> None:
    (tmp_path / "bad.pddl").write_text("(define (domain d) (:predicates (p ?x - nothing)))")
    command = (sys.executable, "-m", "herbrand")
    wrong = run(*command, "check", str(tmp_path / "bad.pddl"))
    assert wrong.returncode == 2 and "E0104" in wrong.stdout + wrong.stderr
    assert run(*command, "bogus").returncode == 2
    assert run(*command, "--help").returncode == 0
    piped = run(*command, "play", "sokoban", "--problem", "train/01", input="quit\n")
    assert piped.returncode == 0


def stub_tools() -> Any:
    specification = importlib.util.spec_from_file_location("docstrings", PACKAGE / "docstrings.py")
    assert specification is not None and specification.loader is not None
    docstrings = importlib.util.module_from_spec(specification)
    specification.loader.exec_module(docstrings)
    return docstrings


def test_the_stub_of_the_wheel_has_the_docstrings_of_the_module() -> None:
    docstrings = stub_tools()
    installed = Path(herbrand.__file__).parent / docstrings.STUB.name
    if installed.samefile(docstrings.STUB):
        pytest.skip("this package is linked to its source, whose stub has no docstrings")
    stub = docstrings.STUB.read_text(encoding="utf-8")
    assert installed.read_text(encoding="utf-8") == docstrings.with_docstrings(stub, _herbrand)
    assert '"""' not in stub.partition("import")[2]
    for name in ("Task", "State", "Suite", "LiftedTask", "Datalog", "Generator"):
        members = [one for one in vars(getattr(_herbrand, name)) if not one.startswith("_")]
        assert members and all(getattr(getattr(_herbrand, name), one).__doc__ for one in members if one != "isdisjoint")


def test_names_and_signatures_of_the_stub_are_those_of_the_module() -> None:
    docstrings = stub_tools()
    stub = docstrings.STUB.read_text(encoding="utf-8")
    assert docstrings.differences(stub, _herbrand) == []
    for old, new, fault in (
        ("def is_collected(name: str)", "def is_collected(title: str)", "is_collected"),
        ("def is_collected(", "def is_gathered(", "is_gathered"),
        ("    def seed(self, seed: int) -> None:", "    def seed(self, seed: int = 3) -> None:", "Task.seed"),
        ("seed: int = 0,\n        limits: LimitsLike", "seed: int = 1,\n        limits: LimitsLike", "Task.plan"),
        ("    def static_atoms(self)", "    def fixed_atoms(self)", "Task.static_atoms"),
        ("    @property\n    def title(self)", "    def title(self)", "LiftedTask.title"),
    ):
        assert old in stub
        found = docstrings.differences(stub.replace(old, new), _herbrand)
        assert any(one.startswith(fault) for one in found), (fault, found)


def test_the_licences_come_along() -> None:
    for name in ("LICENSE-MIT", "LICENSE-APACHE"):
        assert (PACKAGE / name).read_text() == (ROOT / name).read_text()
    files = importlib.metadata.files("herbrand") or []
    carried = {Path(str(one)).name for one in files if "licenses" in str(one)}
    assert carried == {"LICENSE-MIT", "LICENSE-APACHE"}


def test_keyword_arguments_of_make_are_typed(tmp_path: Path) -> None:
    pytest.importorskip("mypy")
    (tmp_path / "use.py").write_text(
        "import herbrand\n"
        "env = herbrand.make('blocks', horizon=3, observation='atoms')\n"
        "env.reset(seed=1)\n"
        "observation, reward, terminated, truncated, info = env.step(env.sample())\n"
        "env.step(env.unwrapped.sample())\n"
        "lifted = herbrand.load('blocks', engine='lifted')\n"
        "lifted.apply(lifted.initial_state, lifted.valid_actions(lifted.initial_state)[0])\n"
        "herbrand.make('blocks', horizn=3)\n"
        "herbrand.make('blocks', observation='oil')\n"
    )
    checked = run(sys.executable, "-m", "mypy", "--strict", "use.py", cwd=tmp_path)
    errors = [line.split(":")[1] for line in checked.stdout.splitlines() if "error:" in line]
    assert errors == ["8", "9"], checked.stdout
    with pytest.raises(TypeError):
        herbrand.make("blocks", horizn=3)  # type: ignore[call-arg]


def test_the_import_leaves_modules_that_environments_do_not_need() -> None:
    program = """
import sys
import gymnasium, numpy

before = set(sys.modules)
import herbrand

herbrand.make("sokoban", "01").reset(seed=1)
herbrand.VecEnv("sokoban", problem="01", num_envs=2).reset(seed=1)
print(*sorted(set(sys.modules) - before))
"""
    imported = run(sys.executable, "-c", program).stdout.split()
    assert {"herbrand.env", "herbrand.vector"} <= set(imported)
    deferred = ("edits", "explore", "generators", "learning", "model", "pddlworld", "planning", "rollout", "testing")
    assert not set(imported) & {f"herbrand.{module}" for module in deferred}
    # All other imports are from the standard library.
    others = {module.split(".")[0] for module in imported} - {"herbrand"}
    assert others <= set(sys.stdlib_module_names)


def test_every_name_of_the_package_can_be_imported() -> None:
    program = "from herbrand import *; import herbrand; print(sorted(set(herbrand.__all__) - set(dir(herbrand)))); print(Plan, learning)"
    listed, _, shown = run(sys.executable, "-c", program).stdout.partition("\n")
    assert listed == "[]"
    assert "herbrand.planning.Plan" in shown and "herbrand.learning" in shown
    for name in herbrand.__all__:
        assert getattr(herbrand, name).__name__.rpartition(".")[2] == name if name[0] != "_" else herbrand.__version__
    with pytest.raises(AttributeError, match="no attribute 'nothing'"):
        getattr(herbrand, "nothing")  # noqa: B009


def test_both_distributions_have_one_version() -> None:
    ours, theirs = ((PACKAGE / folder / "pyproject.toml").read_text() for folder in (".", "compat"))
    versions = [
        *re.findall(r'"herbrand-compat==(.*?)"', ours),
        *re.findall(r'^version = "(.*?)"', theirs, re.MULTILINE),
        *re.findall(r'"herbrand==(.*?)"', theirs),
    ]
    assert versions == [herbrand.__version__] * 3
    for name in ("LICENSE-MIT", "LICENSE-APACHE"):
        assert (PACKAGE / "compat" / name).read_text() == (ROOT / name).read_text()


@pytest.mark.parametrize(
    "statement", ["import herbrand.compat.pddlgym", "from herbrand.compat import pyrddlgym", "import herbrand.compat.pddlgym_planners.fd"]
)
def test_a_layer_that_is_not_installed_says_what_brings_it(statement: str, tmp_path: Path) -> None:
    # The search is in no folder, whatever is installed here.
    program = f"import sys, herbrand.compat; herbrand.compat.__path__ = []; sys.path[:] = sys.argv[1:]; {statement}"
    missing = run(sys.executable, "-c", program)
    last = missing.stderr.splitlines()[-1]
    assert last.startswith("ModuleNotFoundError: herbrand.compat.p") and last.endswith("pip install 'herbrand[compat]'")
    # A layer in another folder of the path than the engine is found.
    for name in ("pddlgym", "pyrddlgym", "pddlgym_planners"):
        layer = tmp_path / "herbrand" / "compat" / name
        layer.mkdir(parents=True)
        (layer / "__init__.py").touch()
        (layer / "fd.py").touch()
    assert run(sys.executable, "-c", program, str(tmp_path)).returncode == 0


def test_other_names_of_compat_are_not_of_the_other_distribution() -> None:
    wrong = run(sys.executable, "-c", "import herbrand.compat.nothing")
    assert wrong.stderr.splitlines()[-1] == "ModuleNotFoundError: No module named 'herbrand.compat.nothing'"


def test_totals_of_a_recipe_do_without_pyarrow(tmp_path: Path) -> None:
    program = f"""
import sys
sys.modules["pyarrow"] = None
import herbrand
from herbrand import data
recipe = data.Recipe(herbrand.suite("blocks", "train/01"), num_envs=4, steps=50)
print(data.rollout(recipe).steps)
for call in (lambda: data.record(recipe, {str(tmp_path / "made")!r}), lambda: next(data.tables(recipe))):
    try:
        call()
    except ImportError as error:
        print(error)
"""
    lines = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True).stdout.splitlines()
    assert lines[0] == "200" and len(lines) == 3
    assert all("pip install 'herbrand[data]'" in line for line in lines[1:])
    assert not (tmp_path / "made").exists()
