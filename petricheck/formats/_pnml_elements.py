"""Listens to the tags of a PNML document and keeps one net of it, not yet connected.

An element or attribute is read, or known to leave the behaviour of the net alone, or refused;
nothing falls through.
"""

from __future__ import annotations

from petricheck.errors import InputError, NetTypeError
from petricheck.formats import _pnml_hints as hints
from petricheck.formats import _pnml_vocabulary as vocabulary
from petricheck.formats._pnml_asides import Aside
from petricheck.formats._pnml_nodes import Draft, Element, Parts
from petricheck.formats._pnml_notes import Notes
from petricheck.scanning.xml import FOREIGN, FORMAL, Scanner
from petricheck.words import quoted

MAX_DEPTH = 256
"""Elements may be nested this deep."""

MAX_TEXT = 1 << 20
"""One label may have this many characters."""


class Elements:
    """The listener; give `start`, `end` and `text` to a scanner, then ask for the draft."""

    def __init__(self, scanner: Scanner, net_id: str | None) -> None:
        self._scanner = scanner
        self._wanted = net_id
        self._contexts = ["document"]
        self._namespace = ""
        # What has been met before may stand there again: context, tag → context inside, name.
        self._met: dict[str, dict[str, tuple[str, str]]] = {of: {} for of in vocabulary.GRAMMAR}
        # How many elements are open inside and with the skipped one, who listens to them (nobody
        # to a net that is not read), and whose tool it is.
        self._skipping = 0
        self._aside: Aside | None = None
        self._tool = ""
        # The place, transition, reference or arc that is open; the label in it, and its texts.
        self._element = Element("", {}, 0, scanner, {})
        self._label = ""
        self._values: list[str] = []
        self._pieces: list[str] = []
        self._length = 0
        # What is kept.
        self._ids: list[str] = []
        self._found = 0
        self._name = ""
        self._parts = Parts()
        self._priorities: dict[str, Element] = {}
        self._timed: dict[str, Element] = {}
        self._notes = Notes()

    def start(self, raw: str, attributes: dict[str, str]) -> None:
        """A start tag."""
        if len(self._contexts) + self._skipping > MAX_DEPTH:
            raise self._scanner.error(
                f"elements are nested more than {MAX_DEPTH} deep; no net needs that, flatten it"
            )
        if self._skipping:
            self._start_skipped(raw, attributes)
            return
        parent = self._contexts[-1]
        context, name = self._met[parent].get(raw) or self._meet(parent, raw)
        if context == vocabulary.SKIP:
            self._skip(raw, name, attributes)
        elif context == "net" and not self._enter_net(raw, attributes):
            self._skipping, self._tool = 1, ""
        else:
            self._contexts.append(context)
            if context == "text":
                self._open_text(name, attributes)
            elif context == "label":
                self._open_label(name, attributes)
            else:
                self._open(context, name, attributes)

    def end(self, _: str) -> None:
        """An end tag."""
        if self._skipping:
            self._skipping -= 1
            if self._aside is not None:
                self._aside.end()
                self._aside = self._aside if self._skipping else None
            return
        match self._contexts.pop():
            case "text":
                self._values.append("".join(self._pieces))
                self._pieces = []
            case "label":
                self._close_label()
            case "place":
                self._check_capacity()
                self._parts.keep(self._element.place(), self._element)
            case "transition":
                self._priorities.setdefault(self._element.word("priority", ""), self._element)
                self._timed.setdefault(self._element.word("timed", "false"), self._element)
                self._parts.keep(self._element.transition(), self._element)
            case "reference":
                self._notes.references += 1
                self._parts.keep(self._element.reference(), self._element)
            case "arc":
                self._parts.keep_arc(self._element.arc(), self._element)

    def text(self, text: str) -> None:
        """Characters between tags."""
        if self._skipping:
            if self._aside is not None:
                self._aside.text(text)
            return
        context = self._contexts[-1]
        if context == "text" or (context == "label" and self._label == "name"):
            self._length += len(text)
            if self._length > MAX_TEXT:
                raise self._scanner.error(
                    f"<{self._label}> has more than {MAX_TEXT} characters; shorten it"
                )
            self._pieces.append(text)
        elif not text.isspace():
            raise self._scanner.error(
                f"text {quoted(text.strip())} stands outside <text>; wrap it in <text>…</text> or "
                "remove it",
                self._scanner.line - text.lstrip().count("\n"),
            )

    def draft(self) -> Draft:
        """The net, once the document has ended.

        Raises:
            InputError: no net, not the one asked for, or several and none asked for.
        """
        wanted = quoted(self._wanted or "")
        names = ", ".join(map(quoted, self._ids[:10])) + (", …" if len(self._ids) > 10 else "")
        if not self._ids:
            raise self._scanner.error("the file holds no <net>; export the net again")
        if self._wanted is None and len(self._ids) > 1:
            raise self._scanner.error(
                f"the file holds {len(self._ids)} nets ({names}); say which one by its id: --net ID"
            )
        if self._found != 1:
            raise self._scanner.error(
                f"the file has {self._found or 'no'} nets with id {wanted}, but: {names}; name one"
            )
        if len(self._priorities) > 1:
            raise list(self._priorities.values())[-1].error(
                "has another <priority> than transitions before it, so that one may hold back the "
                "other; remove the priorities if the plain net is meant"
            )
        self._check_timed()
        return Draft(self._name, self._parts.nodes, tuple(self._parts.arcs), self._notes.texts())

    def _meet(self, parent: str, raw: str) -> tuple[str, str]:
        """Note that an element may stand in this context: the context inside it, and its name."""
        namespace, _, name = raw.rpartition(" ")
        context = vocabulary.GRAMMAR[parent].get(name)
        if context is None:
            raise self._unknown(name, parent)
        if parent not in ("document", "pnml") and namespace != self._namespace:
            raise self._scanner.error(
                f"<{name}> is in namespace {quoted(namespace)}, not in that of its net; put it "
                "inside <toolspecific> if it does not change the meaning"
            )
        self._met[parent][raw] = context, name
        return context, name

    def _unknown(self, name: str, parent: str) -> InputError:
        where = {"document": "the document", "label": f"<{self._label}>"}.get(parent, f"<{parent}>")
        shown = quoted(name)[1:-1]
        return self._scanner.error(
            f"<{shown}> in {where} is not supported; {vocabulary.remedy(name, parent)}"
        )

    def _skip(self, raw: str, name: str, attributes: dict[str, str]) -> None:
        self._skipping, self._tool = 1, ""
        if name == "toolspecific":
            self._tool = attributes.get("tool", "")
            self._notes.tools[self._tool] = None
        elif name == "finalmarkings":
            self._notes.final_markings = True
        arc = self._element if "arc" in self._contexts[-2:] else None
        self._aside = Aside(self._scanner, arc)
        self._aside.start(raw, attributes)

    def _start_skipped(self, raw: str, attributes: dict[str, str]) -> None:
        self._skipping += 1
        if self._aside is not None:
            self._aside.start(raw, attributes)
        if self._tool == "nupn":
            self._notes.safe |= attributes.get("safe") == "true"

    def _enter_net(self, raw: str, attributes: dict[str, str]) -> bool:
        """Note the net; whether it is the one to read."""
        name = attributes.get("id", "")
        self._ids.append(name)
        chosen = name == self._wanted if self._wanted is not None else len(self._ids) == 1
        self._found += chosen
        if not chosen or self._found > 1:
            return False
        self._name, self._namespace = name, raw.rpartition(" ")[0]
        self._notes.unnamed = not name
        written = attributes.get("type")
        self._notes.untyped = written is None
        if written is not None and not vocabulary.is_place_transition_type(written):
            raise NetTypeError(
                f"the net is of type {quoted(written)}, not a place/transition net; unfold or "
                "convert it, or correct the type to http://www.pnml.org/version-2009/grammar/ptnet",
                path=self._scanner.path,
                line=self._scanner.line,
            )
        return True

    def _open(self, context: str, name: str, attributes: dict[str, str]) -> None:
        if context in vocabulary.NODES:
            line = self._scanner.parser.CurrentLineNumber
            self._element = Element(name, attributes, line, self._scanner, {})
        allowed = vocabulary.ATTRIBUTES[context]
        if not attributes.keys() <= allowed:
            self._check_attributes(name, attributes, allowed)

    def _open_text(self, name: str, attributes: dict[str, str]) -> None:
        self._pieces = []
        if attributes and self._label != "name":
            self._check_attributes(name, attributes, frozenset())

    def _check_attributes(
        self, name: str, attributes: dict[str, str], allowed: frozenset[str]
    ) -> None:
        for key, value in attributes.items():
            if key in allowed or key in FORMAL:
                continue
            if name == "arc" and hints.read(key).sense == "kind":
                self._element.check_kind(value.strip())
            elif self._is_remark(name, key) and not hints.special(value):
                self._notes.ignored.add(name, key, self._scanner.line)
            else:
                shown = quoted(key.rpartition(" ")[2])[1:-1]
                raise self._scanner.error(
                    f"<{name}> has the attribute {shown}={quoted(value)}, which may change the "
                    "meaning; say it with PNML elements, or remove it if it says nothing"
                )

    def _is_remark(self, name: str, key: str) -> bool:
        """Whether an unknown attribute says nothing about a place, a transition or an arc."""
        return name == "pnml" or (name in ("net", "page") and key.startswith(FOREIGN))

    def _open_label(self, name: str, attributes: dict[str, str]) -> None:
        self._label, self._values, self._pieces, self._length = name, [], [], 0
        if name in ("type", "arctype"):
            self._values += [attributes[key] for key in ("value", "text") if key in attributes]
            self._check_attributes(name, attributes, frozenset({"value", "text"}))
        elif attributes and (name != "name" or self._contexts[-2] == "arc"):
            self._check_attributes(name, attributes, frozenset())

    def _close_label(self) -> None:
        if self._contexts[-1] not in vocabulary.NODES:
            return
        labels = self._element.labels
        if self._label == "name":
            labels.setdefault("name", self._values[0] if self._values else "".join(self._pieces))
        elif len(self._values) > 1 or self._label in labels:
            raise self._element.error(f"has several values of <{self._label}>; keep one")
        else:
            labels[self._label] = self._values[0] if self._values else None

    def _check_timed(self) -> None:
        """Refuse timed transitions beside immediate ones, which PIPE lets fire first.

        Where all are timed, each may fire as soon as it is enabled, and as late as it likes: delays
        are exponentially distributed. So the same markings are reached as without time.
        """
        for value, element in self._timed.items():
            if value not in ("true", "false"):
                raise element.error(f"has {quoted(value)} in <timed>; write true or false")
        if len(self._timed) > 1:
            raise list(self._timed.values())[-1].error(
                "is timed or immediate as transitions before it are not, and immediate ones hold "
                "back timed ones; set all <timed> to false if the untimed net is meant"
            )
        self._notes.timed = "true" in self._timed

    def _check_capacity(self) -> None:
        """Only 0 passes: tools that always write a capacity mean no limit by it."""
        capacity = self._element.word("capacity", "")
        if capacity not in ("", "0"):
            raise self._element.error(
                f"has the capacity {quoted(capacity)}; remove it and add a complement place that "
                "holds the free room"
            )
        self._notes.capacities |= capacity == "0"
