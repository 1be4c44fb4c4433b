"""The page of a batch in a real Chromium, without a display and without a network."""

from __future__ import annotations

import json
import shutil
from collections.abc import Iterator
from dataclasses import replace
from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest
import records as made
from folders import NETS

from petricheck.batch.cells import CellRecord
from petricheck.batch.reports.measures import arrange
from petricheck.batch.reports.page import render_page
from petricheck.batch.reports.plots import draw
from petricheck.batch.solve import decide
from petricheck.commands import main
from petricheck.model.net import Net, make_net

pytestmark = pytest.mark.slow

HOSTILE = "</script><img src=x onerror=\"document.title='owned'\">"
FLAGS = (
    "--headless=new", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run",
    "--disable-background-networking", "--disable-component-update", "--disable-sync",
    "--hide-scrollbars", "--window-size=1440,900",
)  # fmt: skip
OPEN = "document.getElementById('detail').open"

HANG = 60.0
"""Seconds after which a page that has not opened hangs; what is timed is only reported."""


def program(*names: str) -> str:
    """The first of these that is installed, or else the test is skipped."""
    for name in names:
        if found := shutil.which(name):
            return found
    pytest.skip(
        f"THE PAGE IS NOT TESTED IN A BROWSER: none of {', '.join(names)} is installed;"
        " install Debian's packages chromium and chromium-driver"
    )


@pytest.fixture(scope="module")
def browser(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Any]:
    chromium = program("chromium", "chromium-browser", "google-chrome")
    driver = program("chromedriver")
    selenium = pytest.importorskip(
        "selenium.webdriver", reason="THE PAGE IS NOT TESTED IN A BROWSER: install selenium>=4"
    )
    from selenium.webdriver.chrome.service import Service

    options = selenium.ChromeOptions()
    options.binary_location = chromium
    for flag in (*FLAGS, f"--user-data-dir={tmp_path_factory.mktemp('profile')}"):
        options.add_argument(flag)
    options.set_capability("goog:loggingPrefs", {"browser": "ALL", "performance": "ALL"})
    opened = selenium.Chrome(options=options, service=Service(driver))
    opened.set_page_load_timeout(HANG)
    opened.set_script_timeout(HANG)
    try:
        yield opened
    finally:
        opened.quit()


@pytest.fixture(scope="module")
def solved(tmp_path_factory: pytest.TempPathFactory) -> tuple[CellRecord, ...]:
    """An invariant of several cases, a trace with repeats, hostile names, a state equation."""
    folder = tmp_path_factory.mktemp("evidence")
    hostile = make_net(HOSTILE, {HOSTILE: 2, "q": 0}, {"t": ({HOSTILE: 1}, {"q": 1})})
    asked: tuple[tuple[str | Net, str, str], ...] = (
        ("finkel_km_U", "p2 >= 1 and p4 >= 1", "cegar"),
        ("finkel_km_R", "p2 = 7 and p3 = 5 and p1 + p4 + p5 = 0", "cegar"),
        (hostile, "q = 2", "explicit"),
        ("three_five_U", "p1 = 4", "state_equation"),
    )
    return tuple(
        made.decided(folder, NETS / f"{net}.pnml", words, engine, net)
        if isinstance(net, str)
        else made.decided(folder, net, words, engine, HOSTILE)
        for net, words, engine in asked
    )


@pytest.fixture(scope="module")
def page(tmp_path_factory: pytest.TempPathFactory, solved: tuple[CellRecord, ...]) -> Path:
    others = made.many(20, ["none", "all"], seed=1)
    path = tmp_path_factory.mktemp("page") / "index.html"
    text = render_page("Batch", [*solved, *others], draw(arrange(others)))
    path.write_text(text, encoding="utf-8")
    return path


def visit(browser: Any, path: Path, fragment: str = "") -> None:
    browser.get("about:blank")
    for kind in ("browser", "performance"):
        browser.get_log(kind)
    browser.get(path.as_uri() + fragment)


def requests(browser: Any) -> list[str]:
    """Addresses that the page asked for."""
    messages = [json.loads(entry["message"])["message"] for entry in browser.get_log("performance")]
    return [
        message["params"]["request"]["url"]
        for message in messages
        if message["method"] == "Network.requestWillBeSent"
    ]


def shown(browser: Any, column: int) -> list[str]:
    """Entries of a column of the table, as they stand."""
    found: list[str] = browser.execute_script(
        "return [...document.querySelectorAll('#table tbody tr')].filter(row => !row.hidden)"
        ".map(row => row.cells[arguments[0]].textContent)",
        column,
    )
    return found


def click(browser: Any, selector: str) -> None:
    browser.find_element("css selector", selector).click()


def heading(browser: Any, column: str) -> Any:
    return browser.find_element("css selector", f"#table th.{column} button")


def choose(browser: Any, control: str, value: str) -> None:
    click(browser, f"#{control} option[value='{value}']")


def clear(browser: Any) -> None:
    """Clear all filters, until all cells are shown."""
    click(browser, "#filter button[type=reset]")
    eventually(browser, "document.querySelectorAll('#table tbody tr:not([hidden])').length === 44")


def eventually(browser: Any, condition: str) -> None:
    """Wait until it holds: links and resets take effect a little later."""
    from selenium.webdriver.support.wait import WebDriverWait

    WebDriverWait(browser, HANG).until(lambda _: browser.execute_script(f"return {condition}"))


def detail(browser: Any) -> str:
    text: str = browser.execute_script("return document.getElementById('detail').innerText")
    return text


def test_page_opens_without_complaints_and_without_any_request(browser: Any, page: Path) -> None:
    visit(browser, page)
    for cell in range(4):
        browser.execute_script(f"location.hash = '#cell-{cell}'")
        name = f"document.querySelectorAll('#table tbody tr')[{cell}].cells[0].textContent"
        title = "document.getElementById('detail-title').textContent"
        eventually(browser, f"{OPEN} && {title} === {name}")
    click(browser, "#detail .steer button:last-child")
    assert browser.get_log("browser") == []
    asked = [url for url in requests(browser) if not url.startswith("data:image/")]
    assert asked == [page.as_uri()]


def test_policy_stops_what_would_run_or_load(browser: Any, page: Path) -> None:
    visit(browser, page)
    browser.execute_script(
        "const image = new Image(); image.src = 'https://example.org/x.png';"
        "document.body.append(image);"
        "const script = document.createElement('script'); script.textContent = 'window.ran = true';"
        "document.body.append(script);"
    )
    assert browser.execute_script("return window.ran") is None
    refusals = [entry["message"] for entry in browser.get_log("browser")]
    assert sum("Content Security Policy" in refusal for refusal in refusals) == 2


def test_columns_sort_both_ways_by_mouse_and_keyboard(browser: Any, page: Path) -> None:
    visit(browser, page)
    heading(browser, "cpu").click()
    numbers = [float(text) for text in shown(browser, 10) if text]
    assert numbers == sorted(numbers, reverse=True)
    heading(browser, "cpu").click()
    numbers = [float(text) for text in shown(browser, 10) if text]
    assert numbers == sorted(numbers)
    assert shown(browser, 7)[-1] == "" or "" not in shown(browser, 7)
    heading(browser, "question").send_keys("\ue007")
    names = [name for name in shown(browser, 0) if name.startswith("q")]
    assert names == sorted(names)
    sorted_by = browser.find_elements("css selector", "#table th[aria-sort]")
    assert [head.get_attribute("aria-sort") for head in sorted_by] == ["ascending"]


def test_filters_combine_and_are_cleared(browser: Any, page: Path) -> None:
    visit(browser, page)
    browser.find_element("id", "text").send_keys("q00 NETS")
    assert shown(browser, 0) == []
    clear(browser)
    choose(browser, "by-configuration", "=none")
    choose(browser, "by-collection", "=first")
    assert set(shown(browser, 3)) == {"none"}
    assert set(shown(browser, 1)) == {"first"}
    count = len(shown(browser, 0))
    assert browser.find_element("id", "shown").text == f"{count} of 44 cells"


def test_columns_are_filtered_by_words_and_by_ranges(browser: Any, page: Path) -> None:
    visit(browser, page)
    fields = browser.find_elements("css selector", "#table tr.narrow input")
    numbers = [float(text) for text in shown(browser, 10) if text]
    assert fields[10].get_attribute("placeholder") == f"{min(numbers):.3f}–{max(numbers):.3f}"
    for asked, within in (
        ("0.1-1", lambda value: 0.1 <= value <= 1),
        (">0.5", lambda value: value > 0.5),
        ("<= .25", lambda value: value <= 0.25),
    ):
        fields[10].clear()
        fields[10].send_keys(asked)
        found = [float(text) for text in shown(browser, 10)]
        assert sorted(found) == sorted(filter(within, numbers)) and found
    fields[3].send_keys("NON")
    assert set(shown(browser, 3)) == {"none"}
    fields[10].send_keys(" what")
    assert "wrong" in fields[10].get_attribute("class") and set(shown(browser, 3)) == {"none"}
    clear(browser)


def test_matrix_shows_differences_alone_and_leads_to_cells(browser: Any, page: Path) -> None:
    visit(browser, page)
    rows = "[...document.querySelectorAll('.matrix tbody tr')].filter(row => !row.hidden)"
    before = browser.execute_script(f"return {rows}.length")
    click(browser, "#differing input")
    after = browser.execute_script(f"return {rows}.map(row => row.className)")
    assert len(after) < before and set(after) <= {"differ", "contradict"}
    click(browser, "#differing input")
    click(browser, ".matrix tbody td a")
    eventually(browser, OPEN)


def test_page_of_an_answer_opens_in_any_width_and_steps_through_its_trace(
    browser: Any, tmp_path: Path
) -> None:
    path = tmp_path / "answer.html"
    words = [str(NETS / "finkel_km_R.pnml"), "--target", "p2=7, p3=5", "--html", str(path)]
    assert not main(words, standalone_mode=False)
    visit(browser, path)
    click(browser, "button[aria-label='Step on']")
    player = browser.find_element("css selector", ".player").text
    assert "After step 1 of 9" in player
    assert "p" in browser.find_element("css selector", "#target var").text
    assert not browser.find_element("id", "net").is_displayed()
    for width in (1280, 390):
        browser.set_window_size(width, 900)
        fits = "document.documentElement.scrollWidth <= document.documentElement.clientWidth"
        assert browser.execute_script(f"return {fits}")
    assert browser.get_log("browser") == [] and requests(browser) == [path.as_uri()]


def test_colours_of_places_are_shown_after_each_step(browser: Any, tmp_path: Path) -> None:
    path = tmp_path / "answer.html"
    words = [str(NETS / "philosophers.pnml"), "--cover", "eating=1", "--html", str(path)]
    assert not main(words, standalone_mode=False)
    visit(browser, path)
    drawn = (
        "return [...document.querySelectorAll('.stage g.place')].map(place => "
        "[place.querySelectorAll('.held circle').length,"
        " place.querySelector('.colours').firstChild.textContent])"
    )
    assert browser.execute_script(drawn)[2:] == [[0, ""], [0, ""]]
    for _ in range(2):
        click(browser, "[aria-label='Step on']")
    cells = browser.execute_script(
        "return [...document.querySelectorAll('.trace tbody tr:last-child td')]"
        ".map(cell => cell.textContent)"
    )
    thinking, fork, waiting, eating = cells[2:]
    assert waiting == "{}" and thinking.count(",") == 3 and fork.count(",") == 2
    assert browser.execute_script(drawn)[3] == [1, eating]
    assert browser.get_log("browser") == []


def test_page_of_claims_opens_each_with_its_evidence(browser: Any, tmp_path: Path) -> None:
    path = tmp_path / "bounded.html"
    words = [str(NETS / "finkel_km_R.pnml"), "--bounded", "--html", str(path)]
    assert not main(words, standalone_mode=False)
    visit(browser, path)
    claims = browser.find_elements("css selector", "#proof > details > summary")
    assert len(claims) == 5
    for claim in claims:
        claim.click()
    text = browser.find_element("css selector", "#proof").text
    assert "Never:" in text and "Without end, by repetition:" in text
    assert "repeat" in text and "One repetition changes p" in text
    assert browser.get_log("browser") == []


def test_claims_of_a_cell_are_shown_with_what_they_amount_to(browser: Any, tmp_path: Path) -> None:
    net = made.copy_of(NETS / "finkel_km_R.pnml", tmp_path)
    asked = replace(made.question("q"), net=net, kind="bounded", text="", expected=None)
    outcome = decide(made.cell(asked), lambda _: None)
    evidence = tmp_path / f"{sha256(outcome.evidence).hexdigest()}.json"
    evidence.write_bytes(outcome.evidence)
    record = made.record(asked, outcome=outcome, evidence=str(evidence))
    path = tmp_path / "index.html"
    path.write_text(render_page("Batch", [record], ()), encoding="utf-8")
    visit(browser, path, "#cell-0")
    told = browser.find_element("css selector", "#detail .content").text
    assert "Unbounded: p2, p3, p4, p5." in told and "Without end, by repetition" in told
    assert "[object" not in told and not browser.get_log("browser")
    click(browser, "#detail details > summary")
    eventually(browser, "document.querySelector('#detail .claim').innerText.includes('repeat')")


def test_numbers_of_the_summary_lead_to_their_cells(browser: Any, page: Path) -> None:
    visit(browser, page)
    place = "tr[data-configuration=none] td[data-state=correct]"
    count = browser.find_element("css selector", place)
    expected = int(count.text)
    count.find_element("css selector", "button").click()
    assert len(shown(browser, 5)) == expected
    assert set(shown(browser, 3)) == {"none"}
    assert all(outcome.startswith("✓") for outcome in shown(browser, 5))


def test_invariant_is_typeset_and_each_of_its_cases_explained(browser: Any, page: Path) -> None:
    visit(browser, page)
    click(browser, "#table tbody tr:first-child a")
    eventually(browser, OPEN)
    text = detail(browser)
    cases = browser.find_elements("css selector", "#detail .case")
    assert len(cases) > 1
    assert browser.execute_script(
        "const box = document.querySelector('#detail .formula .atom').getBoundingClientRect();"
        "return box.width > 5 && box.height > 5"
    )
    assert "∨" in text and "∧" in text and "≤" in text
    assert "contradicts" in text
    assert "never grows" in text
    assert "suggested by" in text
    assert "Disabled here" in text
    assert "petricheck verify" in text
    assert browser.find_elements("css selector", "#detail .drawing .place circle")


def test_trace_shows_the_marking_after_each_step_in_table_and_drawing(
    browser: Any, page: Path
) -> None:
    visit(browser, page, "#cell-1")
    rows = browser.execute_script(
        "return [...document.querySelectorAll('#detail .trace tbody tr')]"
        ".map(row => [...row.cells].map(cell => cell.textContent))"
    )
    heads = browser.execute_script(
        "return [...document.querySelectorAll('#detail .trace th')].map(x => x.textContent)"
    )
    last = dict(zip(heads, rows[-1], strict=True))
    assert (last["p2"], last["p3"]) == ("7", "5")
    assert any("×" in row[1] for row in rows)
    for _ in rows[1:]:
        click(browser, "#detail [aria-label='Step on']")
    drawn = browser.execute_script(
        "return [...document.querySelectorAll('#detail g.place')].map(place => ["
        "place.dataset.p, place.querySelectorAll('.held circle').length,"
        "place.querySelector('.held').textContent])"
    )
    assert ["1", 0, "77"] in drawn and ["2", 0, "55"] in drawn  # the number, and its title
    assert ["0", 0, ""] in drawn


def test_arrows_of_a_copied_picture_are_its_own(browser: Any, page: Path) -> None:
    """Those of a picture in something folded are not drawn."""
    visit(browser, page, "#cell-1")
    heads = browser.execute_script(
        "return [...document.querySelectorAll('marker')].map(marker => marker.id)"
    )
    assert len(heads) == len({*heads}) > 1
    end = browser.find_element("css selector", "#detail .arc").get_attribute("marker-end")
    inside = browser.find_element("css selector", "#detail marker").get_attribute("id")
    assert end == f"url(#{inside})"


def test_hostile_names_are_shown_and_do_nothing(browser: Any, page: Path) -> None:
    visit(browser, page, "#cell-2")
    assert HOSTILE in detail(browser)
    assert browser.title == "Batch"
    assert browser.find_elements("css selector", "img:not([src^=data])") == []


def test_open_detail_is_printed_whole(browser: Any, page: Path) -> None:
    """What is modal is cut after one sheet; and afterwards it is modal again."""
    visit(browser, page, "#cell-0")
    assert browser.execute_script(
        "dispatchEvent(new Event('beforeprint'));"
        "return document.querySelector('dialog:modal') === null && "
        "document.querySelector('dialog').open"
    )
    assert browser.execute_script(
        "dispatchEvent(new Event('afterprint'));"
        "return document.querySelector('dialog:modal') !== null"
    )


def test_detail_closes_by_keyboard_and_gives_the_focus_back(browser: Any, page: Path) -> None:
    visit(browser, page)
    link = browser.find_element("css selector", "#table tbody tr:nth-child(2) a")
    link.send_keys("\ue007")
    eventually(browser, OPEN)
    browser.switch_to.active_element.send_keys("\ue014")
    eventually(browser, "location.hash === '#cell-2'")
    browser.switch_to.active_element.send_keys("\ue00c")
    eventually(browser, f"!{OPEN}")
    eventually(browser, "document.activeElement.hash === '#cell-2'")


def test_net_is_drawn_when_a_cell_links_to_it(browser: Any, page: Path) -> None:
    visit(browser, page, "#cell-0")
    click(browser, "#detail dd a")
    eventually(browser, f"!{OPEN}")
    net = browser.find_element("css selector", "details.net[open]")
    assert "5 places, 6 transitions, 12 arcs" in net.text
    assert len(net.find_elements("css selector", "g.place")) == 5
    assert len(net.find_elements("css selector", "g.transition")) == 6


@pytest.mark.parametrize(("width", "scheme"), [(390, "light"), (1440, "dark")])
def test_page_fits_phones_and_desks_in_light_and_dark(
    browser: Any, page: Path, width: int, scheme: str
) -> None:
    browser.execute_cdp_cmd(
        "Emulation.setDeviceMetricsOverride",
        {"width": width, "height": 844, "deviceScaleFactor": 1, "mobile": width < 500},
    )
    feature = {"name": "prefers-color-scheme", "value": scheme}
    browser.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": [feature]})
    try:
        visit(browser, page)
        for fragment in ("", "#cell-0", "#cell-1"):
            browser.execute_script("location.hash = arguments[0]", fragment)
            eventually(browser, f"{OPEN} === {'true' if fragment else 'false'}")
            extent = "document.querySelector('#detail[open] .content') || document.documentElement"
            script = f"const e = {extent}; return e.scrollWidth - e.clientWidth"
            overflow = browser.execute_script(script)
            assert overflow <= 0
        colours = browser.execute_script("return getComputedStyle(document.body).backgroundColor")
        brightness = sum(int(part) for part in colours[4:-1].split(","))
        assert (brightness > 600) == (scheme == "light")
    finally:
        browser.execute_cdp_cmd("Emulation.clearDeviceMetricsOverride", {})
        browser.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": []})


@pytest.mark.slow
def test_page_of_a_thousand_cells_opens(
    browser: Any, tmp_path: Path, solved: tuple[CellRecord, ...], record_property: Any
) -> None:
    records = made.thousand(tmp_path, solved[:2])
    path = tmp_path / "index.html"
    path.write_text(render_page("Batch", records, draw(arrange(records))), encoding="utf-8")
    visit(browser, path)
    timing = "return performance.getEntriesByType('navigation')[0].loadEventEnd"
    record_property("bytes", path.stat().st_size)
    record_property("load event, ms", browser.execute_script(timing))
    assert len(shown(browser, 0)) == 1000
