"""
The page "Try it" in a real browser.

Left out where the dependency group `browser` or the browser is missing; `.ci/run` has
both. Most are for Chromium; one goes through all parts in Firefox. `TRY_IT` names a
folder with the page, if it is built already.
"""

from __future__ import annotations

import os
import re

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from urllib.parse import quote

import pytest

import rummyvariants as rv

from browser import chromium, firefox, opened, served
from rummyvariants.rules.sheet import rule_sheet
from try_it import LeftOut, make


FITS = [one.status for one in rv.rules.options_for(rv.preset("rummy-500"))]
OPTIONS = f"{FITS.count('goes')} of {len(FITS)} options"
POSITION = """\
title = "What may Ann discard?"
rules = "rummy-500"

[position]
seats = ["Ann", "Ben"]
dealer = "Ben"
turn = "Ann"
phase = "play"
hands = { Ann = "7h 9h Kc", Ben = "2c" }
discards = "5c"
stock = "6c 2d"

[expect]
"""


@pytest.fixture(name="browser", scope="module")
def _browser() -> Iterator[Any]:
    with chromium() as browser:
        yield browser


@contextmanager
def built(empty: Path) -> Iterator[str]:
    """
    The address of the page, made in an empty folder unless it is made already.
    """
    folder = os.environ.get("TRY_IT")
    if folder is None:
        # The name of the folder says nothing: the page works in any.
        folder = str(empty / "any where")
        try:
            make(Path(folder))
        except LeftOut as why:
            pytest.skip(f"the page cannot be built: {why}")
    with served(Path(folder)) as address:
        yield f"{address}/index.html"


@pytest.fixture(name="address", scope="module")
def _address(browser: Any, tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    assert browser
    with built(tmp_path_factory.mktemp("pages")) as address:
        yield address


@pytest.fixture(name="fresh")
def _fresh(browser: Any, address: str) -> Iterator[Any]:
    with opened(browser, address) as page:
        ready(page)
        yield page


@pytest.fixture(name="loaded", scope="module")
def _loaded(browser: Any, address: str) -> Iterator[Any]:
    with opened(browser, address) as page:
        ready(page)
        yield page


@pytest.fixture(name="page")
def _page(loaded: Any) -> Any:
    """
    A page that other tests have used, as it was at first: to load one takes seconds.
    """
    part(loaded, "rules")
    loaded.locator("#game").select_option("rummy-500")
    loaded.locator("#reset").click()
    loaded.locator("#search").fill("")
    loaded.locator("#all-options").uncheck()
    loaded.evaluate(
        """() => {
          document.getElementById("clear").click();
          document.getElementById("paste-rules").hidden = true;
          document.getElementById("new-game").click();
          for (const one of document.querySelectorAll("#ask details, #play details"))
            one.open = one.matches("#playing > details:first-of-type, #palette");
        }"""
    )
    loaded.get_by_text(OPTIONS).wait_for()
    loaded.get_by_text("Nothing: this is the game as written.").wait_for()
    return loaded


def ready(page: Any) -> None:
    page.locator("body[data-ready]").wait_for(timeout=90_000)


def part(page: Any, name: str) -> None:
    page.locator(f"nav [data-part={name}]").click()
    page.locator(f"#{name}").wait_for()


def deal(page: Any, game: str, others: int = 1, seed: str = "7") -> None:
    """
    Begin a match in which bots do not wait.
    """
    page.locator("#game").select_option(game)
    part(page, "play")
    page.locator("#others").select_option(str(others))
    page.locator("#pace").select_option("0")
    page.locator("#seed").fill(seed)
    page.locator("#start").click()
    page.locator("#table .rv-turn").wait_for()


def ask(page: Any, action: str, **facts: str) -> None:
    """
    Ask a question of a few facts.
    """
    part(page, "ask")
    page.locator("#action").fill(action)
    if facts.keys() - {"hand"} and not page.locator("#pile").is_visible():
        page.get_by_text("More facts").click()
    for name, text in facts.items():
        page.locator(f"#{name}").fill(text)
    page.locator("#ask-button").click()


def sheet(page: Any) -> Any:
    return page.frame_locator("#sheet")


def is_too_wide(page: Any) -> bool:
    return page.evaluate("document.documentElement.scrollWidth > innerWidth")


# ------------------------------------------------------------------- another browser

# It comes first: Playwright runs once at a time, and Chromium stays until the end.


def test_all_parts_work_in_firefox(tmp_path: Path) -> None:
    with (
        firefox() as browser,
        built(tmp_path) as address,
        opened(browser, address) as page,
    ):
        ready(page)
        page.locator("[data-tick=PGV-P4]").check()
        sheet(page).get_by_text("may trade it for the wild").first.wait_for()
        for action, said in (
            ("meld 7h 8h 9h", "Legal"),
            ("meld 7h 8h 2c", "Not allowed"),
        ):
            ask(page, action, hand="7h 8h 9h 2c")
            page.locator("#ruling").get_by_role("heading", name=said).wait_for()
        part(page, "rules")
        deal(page, "rummy-500")
        table = page.locator("#table")
        table.get_by_role("button", name="Draw", exact=True).click()
        turn = "Your turn: lay cards down if you like"
        table.get_by_text(turn).wait_for()
        page.wait_for_function("localStorage['rummyvariants.game'].includes('draw')")
        page.reload()
        ready(page)
        part(page, "play")
        table.get_by_text(turn).wait_for()


# --------------------------------------------------------------------------- loading


def test_it_says_how_much_has_come(browser: Any, address: str) -> None:
    with opened(browser, "about:blank") as page:
        page.add_init_script(
            "globalThis.heard = []; new MutationObserver(() => {"
            "  const box = document.getElementById('progress');"
            "  if (box) heard.push([box.value,"
            "    document.getElementById('loading-words').textContent]);"
            "}).observe(document, {subtree: true, childList: true, attributes: true});"
        )
        page.goto(address)
        ready(page)
        heard = page.evaluate("heard")
        values = [value for value, _ in heard]
        assert values == sorted(values)
        assert len(set(values)) > 10
        assert values[-1] == 100
        whole = page.evaluate(
            "fetch('python/files.json').then((one) => one.json())"
            ".then((one) => Object.values(one.sizes).reduce((sum, size) => sum + size))"
        )
        megabytes = f"of {whole / 1e6:.1f} MB"
        assert [words for _, words in heard if megabytes in words]


@pytest.mark.parametrize(
    ("lacks", "says"), [("WebAssembly", "no WebAssembly"), ("Worker", "no web workers")]
)
def test_it_says_what_a_browser_lacks(
    browser: Any, address: str, lacks: str, says: str
) -> None:
    with opened(browser, "about:blank") as page:
        page.add_init_script(f"delete globalThis.{lacks}")
        page.goto(address)
        page.get_by_role("alert").filter(has_text=says).wait_for()
        assert not page.locator("#parts").is_visible()


def test_all_of_it_works_without_the_network_once_it_is_loaded(fresh: Any) -> None:
    page = fresh
    page.context.set_offline(True)
    page.locator("[data-tick=PGV-P4]").check()
    sheet(page).get_by_text("may trade it for the wild").first.wait_for()
    ask(page, "meld 7h 8h 9h", hand="7h 8h 9h 2c")
    page.locator("#ruling h3").wait_for()
    page.locator("#ask-table .rv-held").first.wait_for()
    part(page, "play")
    page.locator("#start").click()
    page.locator("#table .rv-held").first.wait_for()


# ------------------------------------------------------------------------- rules desk


def test_a_rule_sheet_with_three_options(fresh: Any, tmp_path: Path) -> None:
    page = fresh
    chosen = ("PGV-P4", "R5V-01", "PGV-E5")
    page.locator("[data-value=PGV-E5]").fill("300")
    for one in chosen:
        page.locator(f"[data-tick={one}]").check()
    rules = rv.preset("rummy-500").with_options("PGV-P4", "R5V-01", "PGV-E5=300")
    said = page.evaluate(
        "text => new DOMParser().parseFromString(text, 'text/html').body.textContent",
        rule_sheet(rules, "html"),
    )
    page.wait_for_function(
        "said => document.getElementById('sheet').contentDocument.body?.textContent"
        " === said",
        arg=said,
    )
    differs = page.locator("#differences")
    differs.get_by_text("until somebody has 500 points").wait_for()
    with page.expect_download() as done:
        page.get_by_role("button", name="Download the rules file").click()
    file = tmp_path / "ours.toml"
    done.value.save_as(file)
    assert rv.load_rules(file) == rules
    # The same rules come back from the link, in a page of their own.
    address = page.url
    assert "with=PGV-P4" in address
    page.goto("about:blank")
    page.goto(address)
    ready(page)
    for one in chosen:
        assert page.locator(f"[data-tick={one}]").is_checked()
    assert page.locator("[data-value=PGV-E5]").input_value() == "300"
    # And from the file.
    page.locator("#game").select_option("gin-rummy")
    sheet(page).get_by_role("heading", name="Gin Rummy").wait_for()
    page.get_by_role("button", name="Open a rules file").click()
    page.locator("#rules-upload").set_input_files(file)
    sheet(page).get_by_role("heading", name="Rummy 500").wait_for()
    assert page.locator("[data-tick=R5V-01]").is_checked()
    page.get_by_role("button", name="Copy a link").click()
    said = page.locator("#rules-done")
    # Without the right to copy the link is shown.
    said.get_by_text(re.compile("Copied|Copy this")).wait_for()


def test_print_prints_the_sheet_alone(page: Any) -> None:
    frame = page.frame(url="about:srcdoc")
    frame.evaluate("globalThis.print = () => { globalThis.printed = true; }")
    page.get_by_role("button", name="Print").click()
    assert frame.evaluate("globalThis.printed")


def test_options_are_searched_and_those_that_do_not_fit_say_why(page: Any) -> None:
    page.get_by_text(OPTIONS).wait_for()
    refused = page.locator("[data-option=PGV-D3e]")
    page.locator("#search").fill("knock")
    few = page.locator(".option:visible").count()
    page.get_by_label("Also those that do not fit").check()
    more = page.locator(".option:visible")
    assert few < more.count() < 100
    assert all("knock" in text.lower() for text in more.all_inner_texts())
    page.locator("#search").fill("PGV-C2b")
    page.locator("[data-tick=PGV-C2b]").check()
    page.locator("#search").fill("")
    page.locator("[data-tick=PGV-C1a]").check()
    problems = page.locator("#rules-problems")
    problems.get_by_text("PGV-C1a and PGV-C2b exclude each other").wait_for()
    assert page.locator(".option.bad").count() == 2
    assert page.get_by_role("button", name="Print").is_disabled()
    page.locator("[data-tick=PGV-C1a]").uncheck()
    sheet(page).get_by_text("twos").first.wait_for()
    assert refused.is_visible()
    page.get_by_role("button", name="The game as written").click()
    page.get_by_text("Nothing: this is the game as written.").wait_for()
    assert not page.locator("[data-tick=PGV-C2b]").is_checked()


def test_a_link_with_an_unknown_option_keeps_the_rest(
    browser: Any, address: str
) -> None:
    link = f"{address}#rules?game=gin-rummy&with=GRV-07%3D50&with=GRV-99"
    with opened(browser, link) as page:
        ready(page)
        problems = page.locator("#rules-problems")
        problems.get_by_text("there is no option 'GRV-99'").wait_for()
        assert page.locator("#game").input_value() == "gin-rummy"
        assert page.locator("[data-tick=GRV-07]").is_checked()
        assert sheet(page).locator("h1").inner_text() == "Gin Rummy"


def test_a_broken_rules_file_is_refused_by_line(page: Any) -> None:
    page.get_by_role("button", name="Open a rules file").click()
    text = 'extends = "rummy-500"\n\n[match]\ntarget = "x"\n'
    page.locator("#rules-text").fill(text)
    page.get_by_role("button", name="Use these rules").click()
    problems = page.locator("#rules-text-problems")
    problems.get_by_text("match.target: 'x' is not allowed").wait_for()
    problems.get_by_role("button", name="Line 4").click()
    selected = page.evaluate("getSelection().toString()")
    assert selected == 'target = "x"'
    page.locator("#rules-text").fill(text.replace('"x"', "300"))
    page.get_by_role("button", name="Use these rules").click()
    sheet(page).get_by_text("until somebody has 300 points").first.wait_for()


def test_nothing_of_a_link_or_a_text_runs(browser: Any, address: str) -> None:
    attack = '</style><img src="x" onerror="window.ran = true">'
    link = f"{address}#rules?title={quote(attack)}&with={quote(attack)}"
    with opened(browser, link) as page:
        ready(page)
        assert sheet(page).locator("h1").inner_text() == attack
        assert "there is no option" in page.locator("#rules-problems").inner_text()
        ask(page, "discard 7h", hand="7h 9h", players=f"{attack}, Ben")
        page.locator("#ruling h3").wait_for()
        assert attack in page.locator("#ask-table").inner_text()
        assert not page.locator("img").count()
        assert not page.evaluate("window.ran || frames[0].ran")
    # Had a mistake of ours let it in, the browser would still not run it.
    with browser.new_context() as context:
        page = context.new_page()
        page.goto(link)
        with page.expect_console_message(lambda said: "violates" in said.text):
            page.evaluate("text => document.body.innerHTML = text", attack)
        assert not page.evaluate("window.ran")


# ------------------------------------------------------------------------------- ask


def test_a_question_and_a_hand_are_enough(page: Any) -> None:
    ask(page, "meld Kh Ah 2h", hand="Kh Ah 2h 9s")
    ruling = page.locator("#ruling")
    ruling.get_by_role("heading", name="Not allowed").wait_for()
    found = ruling.inner_text()
    assert f"{rv.rule('BN-07').title} (BN-07). {rv.rule('BN-07').text}" in found
    assert f"Source: {rv.rule('BN-07').source}" in found
    assert "Made up: " in found
    page.get_by_role("button", name="Which options would allow it?").click()
    allowed = page.locator("#allowed-by")
    allowed.get_by_text(f"{rv.rule('R5V-18').title} (R5V-18)").wait_for()
    # The option is chosen here as well; what it makes of the question is another.
    page.get_by_text("More facts").click()
    page.locator("#ask-options").fill("R5V-18")
    page.locator("#ask-options").press("Enter")
    page.locator("#chosen").get_by_text("with 1 option").wait_for()
    ask(page, "meld Kh Ah 2h")
    ruling.get_by_role("heading", name="Legal").wait_for()
    page.locator("#ask-game").select_option("gin-rummy")
    page.locator("#chosen").get_by_text("Gin Rummy", exact=True).wait_for()
    assert not ruling.inner_text()
    assert page.locator("#game").input_value() == "gin-rummy"
    assert page.locator("#ask-options").input_value() == ""


def test_what_is_typed_is_what_is_typed_anywhere(page: Any) -> None:
    for action in ("take all", "take Td", "Kd", "discard kd"):
        ask(page, action, hand="Th Ts Kd 10c", pile="10d")
        page.locator("#ruling h3").wait_for()
        assert page.locator("#ruling h3").inner_text() == "Legal", action
    ask(page, "discrad Kd")
    page.locator("#ask-problems").get_by_text("did you mean 'discard'?").wait_for()


def test_cards_are_pointed_at(page: Any) -> None:
    def put(*cards: str) -> None:
        for card in cards:
            page.locator(f'[data-put="{card}"]').click()

    part(page, "ask")
    page.get_by_text("More facts").click()
    page.locator("#hand").focus()
    put("7h", "9h", "Kd")
    assert page.locator("#hand").input_value() == "7h 9h Kd"
    page.locator("#melds").fill("Ann: 3c 3d 3h\nBen:")
    put("6h", "*")
    page.locator("#stands-for").click()
    put("7h", "8h")
    assert page.locator("#melds").input_value() == "Ann: 3c 3d 3h\nBen: 6h *=7h 8h"
    page.locator("#more").fill('dealer = "Ben"\nround = 3\nscores = { Ben = -40 }')
    page.get_by_role("button", name="lay", exact=True).click()
    page.get_by_role("group", name="Your hand").get_by_label("nine of hearts").click()
    page.locator("#action").press("End")
    page.keyboard.type(" on 2")
    assert page.locator("#action").input_value() == "lay 9h on 2"
    page.locator("#ask-button").click()
    ruling = page.locator("#ruling")
    ruling.get_by_role("heading", name="Legal").wait_for()
    assert "BN-06" in ruling.inner_text()
    page.get_by_text("The same as a scenario").click()
    outcome = rv.files.run(
        rv.files.parse_scenario(page.locator("#scenario").input_value())
    )
    assert not outcome.differences
    state = outcome.state
    assert state is not None
    assert (state.dealt.dealer, state.round_number, state.scores) == (1, 3, (0, -40))
    # What is pointed at on the table is asked about as well.
    page.locator("#ask-table").get_by_role("option", name="seven of hearts").click()
    page.locator("#ask-table").get_by_role("button", name="Meld 2 of Ben").click()
    ruling.get_by_role("heading", name="Not allowed").wait_for()
    assert "already holds the place" in ruling.inner_text()


def test_a_ruling_goes_with_its_question(page: Any) -> None:
    part(page, "ask")
    page.get_by_text("More facts").click()
    ruling = page.locator("#ruling h3")
    for change in (
        lambda: page.locator('[data-put="8d"]').click(),
        page.locator("#asking .placed button").first.click,
        lambda: page.locator("#pile").fill("5c"),
        lambda: page.locator("#phase").select_option("draw"),
        lambda: page.get_by_role("button", name="swap", exact=True).click(),
    ):
        page.locator("#phase").select_option("")
        ask(page, "discard 7h", hand="7h 9h", pile="")
        ruling.wait_for()
        change()
        ruling.wait_for(state="detached")
        assert page.locator("#ask-table").is_hidden()


def test_what_is_next_starts_at_the_draw(page: Any) -> None:
    part(page, "ask")
    page.locator("#hand").fill("7h 8h 9h 2c")
    page.get_by_role("button", name="What may I do?").click()
    table = page.locator("#ask-table")
    table.get_by_text("Your turn: draw a card").wait_for()
    table.get_by_role("button", name="Draw", exact=True).click()
    page.locator("#ruling").get_by_role("heading", name="Legal").wait_for()
    assert page.locator("#action").input_value() == "draw"


def test_all_problems_of_a_position_are_named_at_once(page: Any) -> None:
    ask(page, "discard 7h", hand="7h 7h 99", melds="Ben: 6h 7h 9h")
    problems = page.locator("#ask-problems li")
    problems.first.wait_for()
    found = " ".join(problems.all_inner_texts())
    for one in ("'99' is not a card", "the deck holds 7h once", "is not a run"):
        assert one in found


@pytest.mark.parametrize("text", ["meld 7h 8h 9h", "meld Kh Ah 2h", "meld 7h 99"])
def test_the_answer_is_seen_on_a_phone(browser: Any, address: str, text: str) -> None:
    phone = {"width": 390, "height": 740}
    with opened(browser, f"{address}#ask", viewport=phone, has_touch=True) as page:
        ready(page)
        page.locator("#hand").fill("7h 8h 9h Kh Ah 2h 9s")
        page.locator("#action").fill(text)
        page.locator("#action").press("Enter")
        answer = page.locator(".verdict, #ask-problems p")
        answer.wait_for()
        page.wait_for_function(
            """() => {
              const box = document.querySelector(".verdict, #ask-problems p")
                .getBoundingClientRect();
              return box.top >= 0 && box.bottom <= innerHeight;
            }"""
        )
        live = answer.evaluate("one => one.closest('[aria-live], [role=alert]')?.id")
        assert live in {"ruling", "ask-problems"}
        above = page.locator("#ask-button").bounding_box()
        assert 0 < answer.bounding_box()["y"] - above["y"] < 100


def test_a_broken_position_is_refused_by_line_and_a_whole_one_is_put_down(
    page: Any,
) -> None:
    part(page, "ask")
    page.get_by_text("Paste a position, a scenario or a record").click()
    page.locator("#pasted").fill(POSITION.replace("7h 9h Kc", "7h 99"))
    page.get_by_role("button", name="Put it on the table").click()
    problems = page.locator("#paste-problems")
    problems.get_by_text("'99' is not a card").wait_for()
    assert "Line 9" in problems.inner_text()
    page.locator("#pasted").fill(POSITION)
    page.get_by_role("button", name="Put it on the table").click()
    page.locator("#ask-table .rv-held").first.wait_for()
    assert page.locator("#hand").input_value() == "Kc 7h 9h"
    assert not problems.inner_text()


# ------------------------------------------------------------------------------ play


@pytest.mark.parametrize("game", ["rummy-500", "gin-rummy"])
def test_a_whole_round_is_played(page: Any, game: str) -> None:
    deal(page, game)
    table = page.locator("#table")
    over = table.get_by_role("button", name="Deal the next round")
    mine = table.locator(".rv-turn")
    for _ in range(200):
        over.or_(mine).first.wait_for()
        if over.is_visible():
            break
        table.get_by_role("button", name="Hint").click()
        number = table.locator(".rv-log p").count()
        table.locator(".rv-hint button").click()
        page.wait_for_function(
            "before => document.querySelectorAll('#table .rv-log p').length > before"
            " || document.querySelector('#table .rv-refusal')",
            arg=min(number, 59),
        )
        assert not table.locator(".rv-refusal").is_visible()
    assert "The round is over" in table.inner_text()
    table.get_by_role("button", name="Score sheet").click()
    dialog = table.get_by_role("dialog")
    assert "Ann" in dialog.inner_text()
    dialog.get_by_role("button", name="Close").click()
    table.get_by_role("button", name="Save").click()
    state = rv.replay(dialog.locator("textarea").input_value())
    assert state.rules == rv.preset(game)
    assert state.result is not None
    dialog.get_by_role("button", name="Close").click()
    over.click()
    table.get_by_text("Round 2", exact=True).wait_for()


def test_a_refusal_says_why_and_undo_takes_back(page: Any) -> None:
    deal(page, "rummy-500")
    table = page.locator("#table")
    table.get_by_text("Type an action").click()
    typed = table.get_by_label("Any action, in words")
    typed.fill("discard 2c")
    typed.press("Enter")
    notice = table.get_by_role("alert")
    notice.get_by_text("Not allowed").wait_for()
    assert "has to wait" in notice.inner_text()
    assert "RV-07" in notice.inner_text()
    in_full = page.locator("#play-rules")
    assert rv.rule("RV-07").title in in_full.inner_text()
    hand = table.locator(".rv-held")
    before = hand.count()
    table.get_by_role("button", name="Draw", exact=True).click()
    page.wait_for_function(
        "many => document.querySelectorAll('#table .rv-held').length === many",
        arg=before + 1,
    )
    assert not in_full.inner_text()
    table.get_by_role("button", name="Undo").click()
    page.wait_for_function(
        "many => document.querySelectorAll('#table .rv-held').length === many",
        arg=before,
    )


def test_a_record_is_opened_and_a_broken_one_is_refused_by_line(page: Any) -> None:
    state = rv.new_game("gin-rummy", ["Ann", "Ben"], seed=5)
    for text in ("pass", "pass", "draw"):
        state = rv.apply(state, text)
    record = str(rv.record(state))
    part(page, "play")
    page.get_by_text("Open a record").click()
    page.locator("#record").fill(record.replace(': draw"', ': drew"'))
    page.get_by_role("button", name="Play on").click()
    problems = page.locator("#record-problems")
    problems.get_by_text("did you mean 'draw'?").wait_for()
    line = record.split("\n").index(f'  "{state.to_act[0]}: draw",') + 1
    problems.get_by_role("button", name=f"Line {line}").wait_for()
    page.locator("#record").fill(record)
    page.get_by_role("button", name="Play on").click()
    page.locator("#table .rv-turn").wait_for()
    cards = page.locator("#table .rv-held")
    assert sorted(one.get_attribute("data-card") for one in cards.all()) == sorted(
        map(str, state.hands[0] if state.to_act == (0,) else rv.view(state, 0).hand)
    )


def test_a_game_survives_a_reload_and_a_new_one_forgets_it(fresh: Any) -> None:
    page = fresh
    deal(page, "rummy-500", others=2)
    table = page.locator("#table")
    table.get_by_role("button", name="Draw", exact=True).click()
    turn = "Your turn: lay cards down if you like"
    table.get_by_text(turn).wait_for()
    held = [one.get_attribute("data-card") for one in table.locator(".rv-held").all()]
    page.wait_for_function("localStorage['rummyvariants.game'].includes('draw')")
    page.reload()
    ready(page)
    table.get_by_text(turn).wait_for()
    part(page, "play")
    page.get_by_text("Here is the game you left.").wait_for()
    again = [one.get_attribute("data-card") for one in table.locator(".rv-held").all()]
    assert again == held
    table.get_by_role("button", name="Undo").click()
    table.get_by_role("button", name="Draw", exact=True).wait_for()
    page.get_by_role("button", name="New game").click()
    assert table.is_hidden()
    assert page.evaluate("localStorage.length") == 0
    page.reload()
    ready(page)
    assert table.is_hidden()
    assert page.locator("#start").is_visible()


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("{", "it is broken."),
        ('{"record": 5, "strength": "careful"}', "it is broken."),
        ('{"record": "", "strength": "best"}', "it is broken."),
        ('{"record": "rules = 5", "strength": "careful"}', "rules"),
    ],
)
def test_a_game_that_cannot_be_gone_on_with_is_dropped(
    fresh: Any, text: str, says: str
) -> None:
    page = fresh
    page.evaluate("text => localStorage.setItem('rummyvariants.game', text)", text)
    page.reload()
    ready(page)
    part(page, "play")
    said = page.locator("#play-said")
    said.get_by_text("so it was dropped").wait_for()
    assert says in said.inner_text()
    assert page.evaluate("localStorage.length") == 0
    assert page.locator("#start").is_visible()


def test_the_page_does_not_freeze_while_a_bot_thinks(page: Any) -> None:
    part(page, "play")
    page.locator("#strength").select_option("search")
    page.locator("#others").select_option("7")
    page.locator("#pace").select_option("0")
    page.locator("#seed").fill("7")
    page.locator("#start").click()
    page.locator("#table .rv-seat").first.wait_for()
    longest = page.evaluate(
        """() => new Promise((resolve) => {
          const start = performance.now();
          let last = start, longest = 0;
          const tick = (now) => {
            longest = Math.max(longest, now - last);
            last = now;
            if (now - start < 3000) requestAnimationFrame(tick);
            else resolve(longest);
          };
          requestAnimationFrame(tick);
        })"""
    )
    assert longest < 1000
    part(page, "rules")
    assert page.locator("#rules-title").is_visible()


# ----------------------------------------------------------------- everybody can use it


def test_nothing_is_wider_than_a_phone(browser: Any, address: str) -> None:
    phone = {"width": 360, "height": 740}
    with opened(browser, address, viewport=phone, has_touch=True) as page:
        ready(page)
        page.get_by_text(OPTIONS).wait_for()
        page.get_by_label("Also those that do not fit").check()
        page.locator("#search").fill("a")
        assert not is_too_wide(page)
        part(page, "ask")
        page.get_by_text("More facts").tap()
        page.get_by_text("Point at cards").tap()
        page.locator("#example").tap()
        page.locator("#ask-table .rv-held").first.wait_for()
        page.locator("#action").fill("discard 2c")
        page.locator("#ask-button").tap()
        page.locator(".verdict").wait_for()
        assert not is_too_wide(page)
        part(page, "play")
        page.locator("#others").select_option("7")
        page.locator("#pace").select_option("0")
        page.locator("#seed").fill("7")
        page.locator("#start").tap()
        page.locator("#table .rv-turn").wait_for()
        assert not is_too_wide(page)
        page.locator("#table").get_by_role("button", name="Draw", exact=True).tap()
        page.locator("#table .rv-held").first.tap()
        page.locator("#table").get_by_role("button", name="Discard").wait_for()
        assert not is_too_wide(page)


def test_the_keyboard_alone_is_enough(fresh: Any) -> None:
    page = fresh

    def tab_to(selector: str) -> None:
        for _ in range(300):
            if page.evaluate("one => document.activeElement.matches(one)", selector):
                return
            page.keyboard.press("Tab")
        pytest.fail(f"{selector} is not reached")

    tab_to("#search")
    page.keyboard.type("trade")
    tab_to("[data-tick=PGV-P4]")
    page.keyboard.press("Space")
    sheet(page).get_by_text("may trade it for the wild").first.wait_for()
    page.keyboard.press("Shift+Tab")
    for _ in range(300):
        if page.evaluate("document.activeElement.matches('nav [data-part=play]')"):
            break
        page.keyboard.press("Shift+Tab")
    page.keyboard.press("Enter")
    page.wait_for_function("document.activeElement.id === 'play-title'")
    tab_to("#seed")
    page.keyboard.type("7")
    page.keyboard.press("Enter")
    page.locator("#table .rv-turn").wait_for()
    tab_to("#table [data-action=draw]")
    page.keyboard.press("Enter")
    discarding = page.get_by_text("Your turn: lay cards down if you like")
    discarding.wait_for()
    tab_to("#table [role=option]")
    page.keyboard.press("ArrowRight")
    page.keyboard.press("Space")
    tab_to("#table [data-action^=discard]")
    page.keyboard.press("Enter")
    discarding.wait_for(state="hidden")
    assert page.locator("#table .rv-refusal").count() == 0


def test_everything_that_can_be_used_has_a_name(page: Any) -> None:
    part(page, "ask")
    page.get_by_text("More facts").click()
    page.locator("#example").click()
    page.locator("#ask-table .rv-held").first.wait_for()
    for name in ("rules", "ask", "play"):
        part(page, name)
        tree = page.locator("main").aria_snapshot()
        kinds = "button|textbox|combobox|checkbox|radio|link|option"
        unnamed = re.findall(rf"(?m)^ *- (?:{kinds}):?$", tree)
        assert not unnamed, unnamed
