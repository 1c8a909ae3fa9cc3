"""The report in a real browser, opened from a file, without a network."""

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from agent.app.report import render_report
from agent.domain.language import LANGUAGES, Language
from tests.app.browser import Page, chromium
from tests.app.sessions import full_session, hostile_session
from tests.clips import AUDIO

pytestmark = pytest.mark.browser

HEARD = """new Promise((resolve) => {
  const player = document.getElementById("audio-1");
  const tell = () => resolve(player.currentTime);
  if (player.paused || player.seeking) player.addEventListener("playing", tell, { once: true });
  else tell();
})"""
RECORDINGS: dict[Language, str] = {"en": "en_star_strong", "zh": "zh_star_strong"}


@pytest.fixture(scope="module")
def tab(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Page]:
    with chromium(tmp_path_factory.mktemp("profile")) as page:
        yield page


@pytest.fixture
def page(tab: Page) -> Page:
    tab.problems.clear()
    return tab


def kept(language: Language, folder: Path) -> Path:
    """A session folder with the report and every recording that it names."""
    (folder / "audio").mkdir()
    for name in ("001-question", *(f"{number:03d}-answer" for number in (1, 2, 3, 5))):
        shutil.copy(AUDIO / f"{RECORDINGS[language]}.flac", folder / "audio" / f"{name}.flac")
    path = folder / "report.html"
    path.write_text(render_report(*full_session(language)), encoding="utf-8")
    return path


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [1280, 400])
@pytest.mark.parametrize("language", LANGUAGES)
def test_the_page_opens_without_complaint_and_fits(
    page: Page, tmp_path: Path, language: Language, width: int, scheme: str
) -> None:
    page.open(kept(language, tmp_path), width=width, scheme=scheme)
    assert page.value("document.documentElement.scrollWidth") == width
    assert page.value("getComputedStyle(document.body).maxWidth") != "none"  # its style applies
    assert page.value("document.getElementById('folder').hidden") is False  # its script ran
    assert page.value("document.querySelectorAll('.missing:not([hidden])').length") == 0
    assert page.problems == []


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_quote_plays_its_second_and_shows_its_words(
    page: Page, tmp_path: Path, language: Language
) -> None:
    page.open(kept(language, tmp_path))
    selector = "a.quote[data-audio='audio-1']"
    second = float(page.value(f'document.querySelector("{selector}").dataset.t0'))
    page.click(selector)
    assert page.value(HEARD) == pytest.approx(second, abs=1)
    assert page.value("document.querySelector('mark:target') !== null")
    assert second > 5
    assert page.problems == []


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_word_plays_its_second_and_is_followed(
    page: Page, tmp_path: Path, language: Language
) -> None:
    page.open(kept(language, tmp_path))
    word = "[data-player='audio-1'] [data-t0]:nth-of-type(8)"
    second = float(page.value(f'document.querySelector("{word}").dataset.t0'))
    page.click(word)
    assert page.value(HEARD) == pytest.approx(second, abs=1)
    assert page.value(
        "new Promise((done) => { const look = () => document.querySelector('.now')"
        " ? done(true) : requestAnimationFrame(look); look(); })"
    )


def test_pointing_at_a_judgement_lights_its_words(page: Page, tmp_path: Path) -> None:
    page.open(kept("en", tmp_path))
    lit = "[...document.querySelectorAll('mark.lit')].map((mark) => mark.textContent).join('')"
    assert page.value(lit) == ""
    page.value("document.querySelector('.criterion-row a.quote').focus()")
    assert page.value(lit) == "sixteen A100 GPUs with a budget of four weeks"
    page.value("document.activeElement.blur()")
    assert page.value(lit) == ""


def test_pointing_at_what_was_there_lights_its_words(page: Page, tmp_path: Path) -> None:
    page.open(kept("en", tmp_path))
    page.value("document.querySelector('.there a.quote').focus()")
    lit = "[...document.querySelectorAll('mark.lit')].map((mark) => mark.textContent).join('')"
    assert page.value(lit) == "sixteen A100 GPUs with a budget of four weeks"


def test_one_recording_is_heard_at_a_time(page: Page, tmp_path: Path) -> None:
    page.open(kept("en", tmp_path))
    page.click("a.quote[data-audio='audio-1']")
    page.value(HEARD)
    page.click("button.play")
    assert page.value("document.getElementById('audio-1').paused")
    assert page.value(
        "new Promise((done) => { const look = () =>"
        " document.querySelector('button.play').getAttribute('aria-pressed') === 'true'"
        " ? done(true) : requestAnimationFrame(look); look(); })"
    )


def test_a_recording_that_is_gone_is_said_to_be_gone(page: Page, tmp_path: Path) -> None:
    path = kept("en", tmp_path)
    (tmp_path / "audio" / "001-answer.flac").unlink()
    page.open(path)
    assert page.value(
        "new Promise((done) => { const look = () => document.getElementById('audio-1').hidden"
        " ? done(true) : requestAnimationFrame(look); look(); })"
    )
    assert page.value("document.querySelectorAll('.missing:not([hidden])').length") == 1
    assert (
        page.value("document.getElementById('audio-1').getClientRects().length") == 0
    )  # not shown


def test_a_correction_keeps_its_original_within_reach_of_its_quotes(
    page: Page, tmp_path: Path
) -> None:
    page.open(kept("en", tmp_path))
    page.click("a.quote[href^='#t3o-']")
    assert page.value("document.querySelector('mark:target').closest('details').open")


@pytest.mark.parametrize(
    "payload",
    [
        "<script>window.broken=1</script>",
        "</script><script>window.broken=1</script>",
        "</style><img src=x onerror=window.broken=1>",
        '"><svg onload=window.broken=1>',
        "javascript:window.broken=1",
    ],
)
def test_nothing_that_was_said_runs(page: Page, tmp_path: Path, payload: str) -> None:
    path = tmp_path / "report.html"
    path.write_text(render_report(*hostile_session(payload)), encoding="utf-8")
    page.open(path)
    page.value("document.querySelectorAll('details').forEach((fold) => (fold.open = true))")
    page.value("document.querySelectorAll('a, button').forEach((one) => one.click())")
    assert page.value("window.broken") is None
    assert payload in page.value("document.body.innerText")
    assert [text for text in page.problems if "ERR_FILE_NOT_FOUND" not in text] == []


def test_the_policy_stops_code_that_is_not_ours(page: Page, tmp_path: Path) -> None:
    path = tmp_path / "report.html"
    text = render_report(*full_session("en"))
    path.write_text(text.replace("<main>", "<main><script>window.broken=1</script>"), "utf-8")
    page.open(path)
    assert page.value("window.broken") is None
    assert any("Content Security Policy" in problem for problem in page.problems)


def test_quotes_and_players_are_reached_by_keyboard(page: Page, tmp_path: Path) -> None:
    page.open(kept("en", tmp_path))
    page.value("document.querySelector('.quote[data-audio]').focus()")
    for kind in ("keyDown", "keyUp"):
        page.call(
            "Input.dispatchKeyEvent", type=kind, key="Enter", code="Enter", text="\r",
            windowsVirtualKeyCode=13,
        )  # fmt: skip
    second = float(page.value("document.querySelector('.quote[data-audio]').dataset.t0"))
    assert page.value(HEARD) == pytest.approx(second, abs=1)


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_text_stands_out_from_its_background(page: Page, tmp_path: Path, scheme: str) -> None:
    page.open(kept("en", tmp_path), scheme=scheme)
    lowest = page.value(
        """(() => {
          const channels = (color) => color.match(/[\\d.]+/g).map(Number);
          const light = (color) => channels(color).slice(0, 3).map((v) => v / 255)
            .map((v) => (v <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4))
            .reduce((sum, v, i) => sum + v * [0.2126, 0.7152, 0.0722][i], 0);
          const behind = (element) => {
            for (let e = element; e; e = e.parentElement) {
              const color = getComputedStyle(e).backgroundColor;
              if ((channels(color)[3] ?? 1) === 1) return color;
            }
            return "rgb(255, 255, 255)";
          };
          const contrast = (a, b) => (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
          return Math.min(...[...document.querySelectorAll("body *")]
            .filter((e) => [...e.childNodes].some((n) => n.nodeType === 3 && n.data.trim()))
            .filter((e) => !e.closest("script, svg"))
            .map((e) => contrast(light(getComputedStyle(e).color), light(behind(e)))));
        })()"""
    )
    assert lowest >= 4.5
