"""Files are read in pieces: wherever one ends nothing else is read, and none is kept."""

from __future__ import annotations

import gzip
import tracemalloc
from collections.abc import Iterable
from hashlib import sha256
from pathlib import Path

import pytest

from petricheck.formats import nets as formats
from petricheck.formats.nets import read_net
from petricheck.formats.nets.pnml import Pnml
from petricheck.formats.properties import read_properties
from petricheck.model.net import Net, make_net
from petricheck.support import files, outputs
from petricheck.support.errors import InputError

NET = make_net("twelve", {"p12": 12, "q": 345}, {"t34": ({"p12": 12, "q": 1}, {"q": 34})})

PNML = """<pnml><net id="twelve"><place id="p12"><initialMarking><text>12</text></initialMarking>
</place><place id="q"><initialMarking><text> 3<!-- -->4<![CDATA[5]]> </text></initialMarking>
</place><transition id="t34"/><arc source="p12" target="t34"><inscription><text>12</text>
</inscription></arc>
<arc source="q" target="t34"/><arc source="t34" target="q"><inscription><text>&#51;4</text>
</inscription></arc></net></pnml>"""

NETS = {
    ".pnml": PNML,
    ".net": "net twelve\npl p12 (12)\npl q (345)\ntr t34 p12*12 q -> q*34\n",
    ".lola": '{ petricheck: net is "twelve" }\nPLACE p12, q; MARKING p12: 12, q: 345;\n'
    "TRANSITION t34 CONSUME p12: 12, q; PRODUCE q: 34;",
    ".spec": '# petricheck: net is "twelve"\n# petricheck: transition t1 is "t34"\nvars p12 q\n'
    "rules p12 >= 12, q >= 1 -> p12' = p12-12, q' = q+33;\ninit p12 = 12, q = 345\ntarget q >= 1",
}

PROPERTIES = {
    ".xml": """<property-set><property><id>first-12</id><formula><exists-path><finally><integer-le>
    <integer-constant>123</integer-constant><tokens-count><place>p12</place></tokens-count>
    </integer-le></finally></exists-path></formula></property><property><id>second</id><formula>
    <all-paths><globally><is-fireable><transition>t34</transition></is-fireable></globally>
    </all-paths></formula></property></property-set>""",
    ".formula": "EF p12 >= 123 : AG FIREABLE(t34)",
    ".spec": NETS[".spec"],
}


def written(folder: Path, ending: str, text: str) -> tuple[Path, Path]:
    """The text in a file, and compressed in another."""
    plain, packed = folder / f"n{ending}", folder / f"n{ending}.gz"
    plain.write_text(text)
    half = len(text) // 2
    packed.write_bytes(
        b"".join(gzip.compress(part.encode()) for part in (text[:half], text[half:]))
    )
    return plain, packed


@pytest.fixture(params=[1, 2, 7])
def small(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Pieces of a few bytes."""
    monkeypatch.setattr(files, "PIECE", request.param)


@pytest.mark.parametrize("ending", NETS)
@pytest.mark.usefixtures("small")
def test_a_net_is_the_same_wherever_pieces_end(ending: str, tmp_path: Path) -> None:
    for path in written(tmp_path, ending, NETS[ending]):
        assert read_net(path).net == NET, path


@pytest.mark.parametrize("ending", PROPERTIES)
@pytest.mark.parametrize("size", [1, 2, 7])
def test_properties_are_the_same_wherever_pieces_end(
    ending: str, size: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    paths = written(tmp_path, ending, PROPERTIES[ending])
    whole = [read_properties(path, NET) for path in paths]
    monkeypatch.setattr(files, "PIECE", size)
    assert [read_properties(path, NET) for path in paths] == whole
    if ending == ".xml":
        assert "123" in str(whole[0][0].meaning)


@pytest.mark.usefixtures("small")
def test_a_word_that_changes_the_meaning_is_heard_wherever_pieces_end(tmp_path: Path) -> None:
    hint = '<toolspecific tool="x" version="1"><x>inhibitor</x></toolspecific></arc>'
    for path in written(tmp_path, ".pnml", PNML.replace("</arc>", hint, 1)):
        with pytest.raises(InputError, match="only normal, inhibitor"):
            read_net(path)


@pytest.mark.parametrize("ending", [".pnml", ".pnml.gz"])
def test_what_is_passed_over_takes_no_memory(ending: str, tmp_path: Path) -> None:
    path = tmp_path / f"n{ending}"
    comments = b"".join(b"<!--%s-->\n" % (b"x" * (1 << 20)) for _ in range(32))
    start, end = PNML.encode().split(b"</net>")
    outputs.store(path, start + comments + b"</net>" + end)
    del comments
    tracemalloc.start()
    try:
        assert read_net(path).net == NET
        assert tracemalloc.get_traced_memory()[1] < 12 << 20
    finally:
        tracemalloc.stop()


@pytest.mark.parametrize("size", [1, 2, 7, 1 << 20])
def test_zeros_after_a_member_of_a_gzip_file_are_skipped(
    size: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(files, "PIECE", size)
    half = len(PNML) // 2
    first, second = (gzip.compress(part.encode()) for part in (PNML[:half], PNML[half:]))
    path = tmp_path / "n.pnml.gz"
    path.write_bytes(first + bytes(5) + second + bytes(600))
    assert read_net(path).net == NET
    path.write_bytes(first + bytes(5) + second[:-4])
    with pytest.raises(InputError, match="cut off"):
        read_net(path)
    path.write_bytes(first + second + b"x")
    with pytest.raises(InputError, match="gzip"):
        read_net(path)


def test_no_more_is_read_of_a_comment_than_its_cap() -> None:
    rest = iter([b"<pnml><!--", *[b"x" * (1 << 20)] * 40])
    with pytest.raises(InputError, match="longer than 16 MiB"):
        Pnml().read(rest, "n.pnml")
    assert len(list(rest)) > 20


def test_the_hash_is_that_of_the_whole_file_whatever_a_reader_leaves(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    class Hasty(Pnml):
        def read(
            self, pieces: Iterable[bytes], path: str, net_id: str | None = None
        ) -> tuple[Net, tuple[str, ...]]:
            next(iter(pieces))
            return NET, ()

    monkeypatch.setattr(formats, "format_of", lambda path: Hasty())
    monkeypatch.setattr(files, "PIECE", 5)
    for path in written(tmp_path, ".pnml", PNML):
        assert read_net(path).sha256 == sha256(path.read_bytes()).hexdigest()


@pytest.mark.parametrize(
    ("start", "kind"),
    [
        (b"PK\x03\x04", "a zip archive"),
        (b"7z\xbc\xaf'\x1c", "a 7z archive"),
        (b"BZh91AY", "bzip2"),
        (b"\xfd7zXZ\x00", "xz"),
        (b"(\xb5/\xfd", "zstd"),
    ],
)
@pytest.mark.parametrize("ending", [".pnml", ".net", ".pnml.zip", ".xml"])
def test_an_archive_is_refused_by_its_kind(
    start: bytes, kind: str, ending: str, tmp_path: Path
) -> None:
    path = tmp_path / f"n{ending}"
    path.write_bytes(start + bytes(40))
    with pytest.raises(InputError, match=f"{kind}.*; unpack it, and name what is in it"):
        read_net(path)
    with pytest.raises(InputError, match=f"{kind}.*; unpack it, and name what is in it"):
        read_properties(path, Net("", (), (), ()))
