"""The store of a batch: nothing committed is lost, nothing half-written is read."""

from __future__ import annotations

import errno
import hashlib
import os
import resource
import shutil
import signal
import sqlite3
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
import records as made
from folders import NETS, read_question

from petricheck.batch import DATABASE
from petricheck.batch.cells import Cell, CellOutcome
from petricheck.batch.configurations import Configuration, parse_configuration
from petricheck.batch.store import Store
from petricheck.questions import UNBOUNDED
from petricheck.support.errors import InputError

PROVED = replace(made.SOLVED, evidence=b'{"format": "petricheck evidence"}')


def asked(name: str = "kanban_U") -> Cell:
    question = read_question(NETS / f"{name}.json")
    assert question is not None
    return made.cell(question)


def kept(store: Store, cell: Cell) -> Cell:
    return cell.at({path: store.keep(path) for path in cell.files})


def named(cell: Cell, name: str) -> Cell:
    return replace(cell, question=replace(cell.question, name=name))


def contents(folder: Path) -> dict[str, bytes]:
    return {
        str(path.relative_to(folder)): path.read_bytes()
        for path in folder.rglob("*")
        if path.is_file() and not path.name.endswith("-shm")  # SQLite's readers meet there
    }


def in_child(act: Callable[[], None]) -> int:
    """The status of a process that does this and no more."""
    child = os.fork()
    if child == 0:
        try:
            act()
        finally:
            os._exit(7)
    return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])


# What is kept


TOOL = Configuration("peer", "", tool="tool 2.0 -a b")
GUIDED = parse_configuration("x=cegar:guide=lattice,heuristics=parikh")
HUGE = 10**5000  # which Python prints in no decimals
ODD = replace(
    made.CRASH, error="\udcff", reason="\udcff, and \x00", target="\ud800", engine="\udcff.sh"
)


@pytest.mark.parametrize(
    ("changes", "configuration", "outcome"),
    [
        ({}, parse_configuration("none"), PROVED),
        ({"name": "other"}, GUIDED, made.TIMEOUT),
        ({"text": "an id", "properties": NETS / "fms_U.xml"}, TOOL, made.SOLVED),
        ({"kind": "bound", "text": "min: p1", "expected": -(10**30)}, TOOL, made.MEMORY),
        ({"kind": "bound", "text": "p1", "expected": UNBOUNDED}, TOOL, made.GAVE_UP),
        (
            {"kind": "bound", "text": "p1", "expected": HUGE},
            TOOL,
            replace(made.SOLVED, value=-HUGE),
        ),
        ({"text": "\ud800 = 1", "why": "\udcff"}, TOOL, made.CRASH),
        ({}, TOOL, ODD),
    ],
)
def test_a_record_is_read_as_it_was_committed(
    tmp_path: Path, changes: dict[str, Any], configuration: Configuration, outcome: CellOutcome
) -> None:
    asked_for = replace(asked().question, **changes)
    with Store.create(tmp_path / "run") as store:
        cell = kept(store, made.cell(asked_for, configuration))
        committed = store.commit(cell, outcome, "fms_U.pnml")
    (tmp_path / "run").rename(tmp_path / "moved")
    with Store.read(tmp_path / "moved") as store:
        assert store.records() == (committed,)
        if outcome.evidence:
            assert store.content(committed.evidence) == outcome.evidence
        assert store.content(cell.question.net) == asked_for.net.read_bytes()
    assert (committed.cell, committed.outcome) == (cell, replace(outcome, evidence=b""))
    assert (committed.evidence == "") == (not outcome.evidence)


def test_files_are_named_by_their_content_and_kept_once(tmp_path: Path) -> None:
    (tmp_path / "copy.PNML").write_bytes((NETS / "kanban_U.pnml").read_bytes())
    (tmp_path / "net.pnml.gz").write_bytes(b"1f8b")
    with Store.create(tmp_path / "run") as store:
        first = store.keep(NETS / "kanban_U.pnml")
        assert store.keep(tmp_path / "copy.PNML") == first
        assert store.keep(tmp_path / "net.pnml.gz").name.endswith(".pnml.gz")
    digest = hashlib.sha256((NETS / "kanban_U.pnml").read_bytes()).hexdigest()
    assert first == Path(f"{digest}.pnml")
    with Store.read(tmp_path / "run") as store:
        with store.unpacked() as folder:
            assert len(list(folder.iterdir())) == 2
        with store.unpacked([first]) as folder:
            (file,) = folder.iterdir()
            assert hashlib.sha256(file.read_bytes()).hexdigest() == digest


def test_a_file_that_was_damaged_is_not_handed_out(tmp_path: Path) -> None:
    with Store.create(tmp_path) as store:
        net = store.keep(NETS / "kanban_U.pnml")
    change(tmp_path, "UPDATE file SET content = x'00'")
    with Store.read(tmp_path) as store, pytest.raises(InputError, match=f"damaged.*{net}"):
        store.content(net)


def test_what_is_no_regular_file_is_not_kept(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe.pnml")
    with Store.create(tmp_path / "run") as store:
        with pytest.raises(InputError, match=r"pipe\.pnml: is no regular file"):
            store.keep(tmp_path / "pipe.pnml")
        with pytest.raises(InputError, match=r"none\.pnml: cannot be read: No such file"):
            store.keep(tmp_path / "none.pnml")


def test_a_cell_is_not_committed_twice(tmp_path: Path) -> None:
    with Store.create(tmp_path) as store:
        cell = kept(store, asked())
        store.commit(cell, PROVED, "n.pnml")
        with pytest.raises(InputError, match=r"has an outcome of .* already"):
            store.commit(cell, made.TIMEOUT, "n.pnml")
        assert [record.outcome.status for record in store.records()] == ["decided"]


def test_the_plan_is_kept_in_its_order_and_grows(tmp_path: Path) -> None:
    with Store.create(tmp_path) as store:
        first, second, third = (named(kept(store, asked()), name) for name in "cab")
        store.plan([first, second])
        harder = replace(second, limits=made.CellLimits(5.0))
        store.plan([third, harder])
    with Store.read(tmp_path) as store:
        assert store.planned() == (first, harder, third)
        assert store.records() == ()


# Who may open it


def test_a_store_is_created_in_an_empty_or_absent_folder_and_resumed_in_any_of_ours(
    tmp_path: Path,
) -> None:
    for opened in (Store.create, Store.resume):
        for folder in (tmp_path / opened.__name__ / "absent", tmp_path / opened.__name__ / "empty"):
            (folder.parent / "empty").mkdir(parents=True, exist_ok=True)
            with opened(folder) as store:
                assert store.records() == ()
    with pytest.raises(InputError, match="holds a batch already; --resume continues it"):
        Store.create(tmp_path / "create" / "absent")
    with Store.resume(tmp_path / "create" / "absent") as store:
        assert store.records() == ()


def test_a_folder_of_something_else_is_refused_and_left_alone(tmp_path: Path) -> None:
    (tmp_path / "thesis.tex").write_text("")
    for opened, folder, complaint in (
        (Store.create, tmp_path, "is not empty and holds no batch"),
        (Store.resume, tmp_path, "is not empty and holds no batch"),
        (Store.read, tmp_path, "holds no batch"),
        (Store.create, tmp_path / "thesis.tex", "Not a directory"),
    ):
        with pytest.raises(InputError, match=complaint):
            opened(folder)
    assert os.listdir(tmp_path) == ["thesis.tex"]


def test_a_second_writer_is_refused_while_the_first_is_there(tmp_path: Path) -> None:
    with Store.create(tmp_path):
        for opened in (Store.create, Store.resume):
            with pytest.raises(InputError, match="another batch is writing here"):
                opened(tmp_path)
    Store.resume(tmp_path).close()


def test_a_killed_writer_leaves_no_lock_and_no_part_of_a_file(tmp_path: Path) -> None:
    def write() -> None:
        store = Store.create(tmp_path)
        store.commit(kept(store, asked()), PROVED, "n.pnml")
        with store.unpacked():
            os.kill(os.getpid(), signal.SIGKILL)

    assert in_child(write) == -signal.SIGKILL
    with Store.resume(tmp_path) as store:
        assert made.keys(store) == {asked().key}
        store.commit(named(kept(store, asked()), "next"), made.TIMEOUT, "n.pnml")
    assert os.listdir(tmp_path) == [DATABASE]


# Readers


def test_reading_changes_nothing_while_a_batch_writes_or_after_it_ended_or_was_killed(
    tmp_path: Path,
) -> None:
    with Store.create(tmp_path / "run") as store:
        cell = kept(store, asked())
        store.commit(cell, PROVED, "n.pnml")
        before = contents(tmp_path)
        with Store.read(tmp_path / "run") as reader:
            assert len(reader.records()) == 1
            assert contents(tmp_path) == before
            store.commit(named(cell, "next"), PROVED, "n.pnml")
            assert len(reader.records()) == 2
        shutil.copytree(tmp_path / "run", tmp_path / "killed")
    for name in ("run", "killed"):
        before = contents(tmp_path / name)
        with Store.read(tmp_path / name) as reader:
            assert len(reader.records()) == 2
        assert contents(tmp_path / name) == before


def test_a_reader_cannot_write_and_holds_up_no_writer(tmp_path: Path) -> None:
    store = Store.create(tmp_path)
    cell = kept(store, asked())
    store.commit(cell, PROVED, "n.pnml")
    with Store.read(tmp_path) as reader:
        assert len(reader.records()) == 1
        store.close()
        assert len(reader.records()) == 1
        with pytest.raises(InputError, match="readonly"):
            reader.commit(named(cell, "next"), made.TIMEOUT, "n.pnml")
    with Store.resume(tmp_path) as again:
        assert len(again.records()) == 1


# What breaks


def change(folder: Path, statement: str) -> None:
    """Change a database that nobody has open."""
    database = sqlite3.connect(folder / DATABASE)
    with database:
        database.execute(statement)
    database.close()


@pytest.mark.parametrize(
    ("statement", "complaint"),
    [
        ("PRAGMA user_version = 2", r"another version of petricheck \(format 2,.* another folder"),
        ("PRAGMA application_id = 5", "of another program"),
        ("", rf"{DATABASE}: .*file is not a database"),
    ],
)
def test_a_database_of_others_is_refused_and_left_alone(
    tmp_path: Path, statement: str, complaint: str
) -> None:
    Store.create(tmp_path).close()
    if statement:
        change(tmp_path, statement)
    else:
        (tmp_path / DATABASE).write_bytes(b"not a database, for sure" * 100)
    before = (tmp_path / DATABASE).read_bytes()
    for opened in (Store.resume, Store.read):
        with pytest.raises(InputError, match=complaint):
            opened(tmp_path)
    assert (tmp_path / DATABASE).read_bytes() == before


def test_a_damaged_database_is_refused_before_anything_is_added(tmp_path: Path) -> None:
    with Store.create(tmp_path) as store:
        cell = kept(store, asked())
        for number in range(200):
            store.commit(named(cell, str(number)), made.TIMEOUT, "n.pnml")
    whole, half = (tmp_path / DATABASE).read_bytes(), (tmp_path / DATABASE).stat().st_size // 2
    (tmp_path / DATABASE).write_bytes(whole[:half] + b"\xff" * 9000 + whole[half + 9000 :])
    with pytest.raises(InputError, match=r"is damaged|malformed"):
        Store.resume(tmp_path)


@pytest.mark.parametrize(
    "damage",
    [
        "cell = '{'",
        "cell = '{}'",
        "done = json_set(done, '$.outcome.status', 'fine')",
        "done = json_set(done, '$.outcome.status', 'timeout')",
        "done = json_set(done, '$.outcome.value', 1.5)",
        "done = json_set(done, '$.outcome.value', null)",
        "done = '{}'",
    ],
)
def test_a_row_that_makes_no_sense_is_told_as_damage(tmp_path: Path, damage: str) -> None:
    with Store.create(tmp_path) as store:
        store.commit(kept(store, asked()), PROVED, "n.pnml")
    change(tmp_path, f"UPDATE cell SET {damage}")
    with Store.read(tmp_path) as store, pytest.raises(InputError, match="is damaged"):
        store.records()


@contextmanager
def full_disk(size: int) -> Iterator[None]:
    """No file grows beyond this, as on a disk that is full."""
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    ignored = signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, before[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)
        signal.signal(signal.SIGXFSZ, ignored)


@pytest.mark.parametrize("evidence", [b"", b"{}" * 5000])
def test_a_full_disk_is_a_clear_error_and_loses_nothing(tmp_path: Path, evidence: bytes) -> None:
    outcome = replace(made.SOLVED, evidence=evidence)
    with Store.create(tmp_path) as store:
        cell = kept(store, asked())
        store.commit(cell, PROVED, "n.pnml")
        with (
            full_disk(8192),
            pytest.raises(InputError, match=r"cannot be written: .*(full|large|I/O)"),
        ):
            for number in range(100):
                store.commit(named(cell, str(number)), outcome, "n.pnml")
        committed = made.keys(store)
        store.commit(named(cell, "after"), outcome, "n.pnml")
    assert asked().key in committed
    with Store.read(tmp_path) as store:
        assert made.keys(store) == committed | {named(cell, "after").key}
        for record in store.records():
            assert not record.evidence or store.content(record.evidence)
    assert not list(tmp_path.rglob(".*"))


def test_a_store_that_is_removed_while_a_batch_runs_is_a_clear_error(tmp_path: Path) -> None:
    with Store.create(tmp_path / "run") as store:
        cell = kept(store, asked())
        shutil.rmtree(tmp_path / "run")
        for outcome in (PROVED, made.TIMEOUT):
            with pytest.raises(InputError, match=r"cannot be written: (it was removed|disk)"):
                store.commit(cell, outcome, "n.pnml")


@contextmanager
def nobody() -> Iterator[Path]:
    """A folder of somebody else, seen by a user whom permissions bind."""
    folder = Path(tempfile.mkdtemp())
    folder.chmod(0o755)
    root = os.geteuid() == 0
    try:
        if root:
            os.seteuid(65534)
        else:
            folder.chmod(0o555)
        yield folder
    finally:
        if root:
            os.seteuid(0)
        folder.chmod(0o755)
        shutil.rmtree(folder)


def test_a_folder_that_is_read_only_is_refused(tmp_path: Path) -> None:
    with nobody() as folder:
        for place in (folder, folder / "run"):
            with pytest.raises(InputError, match=f"{os.strerror(errno.EACCES)}"):
                Store.create(place)


@pytest.mark.skipif(os.geteuid() != 0, reason="needs two users")
@pytest.mark.parametrize("killed", [False, True])
def test_a_store_that_is_read_only_can_be_read(tmp_path: Path, killed: bool) -> None:
    with nobody() as folder:
        os.seteuid(0)
        store = Store.create(tmp_path / "run")
        store.commit(kept(store, asked()), PROVED, "n.pnml")
        if not killed:
            store.close()
        shutil.copytree(tmp_path / "run", folder / "run")
        if killed:
            store.close()
        os.seteuid(65534)
        with Store.read(folder / "run") as reader:
            assert len(reader.records()) == 1
        with pytest.raises(InputError, match="cannot be written"):
            Store.resume(folder / "run")
