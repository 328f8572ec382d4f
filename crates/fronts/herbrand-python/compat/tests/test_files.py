"""Tests of atomic file writes."""

from __future__ import annotations

import os
import stat
import subprocess
import sys
from pathlib import Path

import pytest

from herbrand.compat._files import whole, write_text


def names(folder: Path) -> list[str]:
    return sorted(one.name for one in folder.iterdir())


def test_an_exception_leaves_the_old_file(tmp_path: Path) -> None:
    file = tmp_path / "domain.pddl"
    write_text(file, "old")
    with pytest.raises(RuntimeError), whole(file) as beside:
        beside.write_text("half of the new")
        assert file.read_text() == "old"
        raise RuntimeError
    assert (file.read_text(), names(tmp_path)) == ("old", ["domain.pddl"])
    write_text(file, "new")
    assert (file.read_text(), names(tmp_path)) == ("new", ["domain.pddl"])


def test_links_and_permissions_stay(tmp_path: Path) -> None:
    file, link = tmp_path / "real", tmp_path / "link"
    file.write_text("old")
    file.chmod(0o640)
    link.symlink_to(file)
    write_text(link, "new")
    assert link.is_symlink() and file.read_text() == "new"
    assert stat.S_IMODE(file.stat().st_mode) == 0o640
    # A new file has the usual permissions, and pipes are written to directly.
    write_text(tmp_path / "fresh", "")
    (tmp_path / "other").touch()
    assert (tmp_path / "fresh").stat().st_mode == (tmp_path / "other").stat().st_mode
    write_text(os.devnull, "nothing")


@pytest.mark.skipif(sys.platform == "win32", reason="signals")
def test_a_kill_leaves_the_old_file(tmp_path: Path) -> None:
    file = tmp_path / "domain.pddl"
    file.write_text("old")
    program = (
        "import os, signal, sys\n"
        "from herbrand.compat._files import whole\n"
        "with whole(sys.argv[1]) as beside:\n"
        "    beside.write_text('half')\n"
        "    os.kill(os.getpid(), signal.SIGKILL)\n"
    )
    assert subprocess.run([sys.executable, "-c", program, str(file)]).returncode == -9
    assert file.read_text() == "old"
