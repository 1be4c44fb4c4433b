"""Under which limits, and on which machines, the cells were decided."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

from petricheck.batch.cells import Host, Limits, Record
from petricheck.page.facts import Fact
from petricheck.words import counted


def circumstances(records: Sequence[Record]) -> Iterator[Fact]:
    """A line for all limits, for each machine, and for what is installed there."""
    if not records:
        return
    limits = Counter(record.cell.limits for record in records)
    yield Fact(
        "Limits", "; ".join(f"{limits_text(each)}{_of(n, limits)}" for each, n in limits.items())
    )
    hosts = Counter(record.outcome.host for record in records)
    for host, number in hosts.items():
        if host is None:
            yield Fact("Machine", "not recorded", counted(number, "cell"))
        else:
            versions = ", ".join(" ".join(version) for version in host.versions)
            yield Fact("Machine", f"{machine_text(host)}{_of(number, hosts)}", versions)


def _of(number: int, counts: Counter[Limits] | Counter[Host | None]) -> str:
    """How many cells are meant, where that is not all of them."""
    return "" if len(counts) == 1 else f" ({counted(number, 'cell')})"


def limits_text(limits: Limits) -> str:
    """The limits of a cell."""
    parts = [f"{limits.seconds:g} s"]
    if limits.cpu_seconds is not None:
        parts.append(f"{limits.cpu_seconds:g} s of CPU")
    if limits.memory is not None:
        parts.append(f"{limits.memory} MiB")
    return ", ".join(parts)


def machine_text(host: Host) -> str:
    """Where a cell was decided."""
    memory = f"{host.memory / 2**30:.1f} GiB"
    return f"{host.name}, {host.system}, {counted(host.cores, 'core')}, {memory}"
