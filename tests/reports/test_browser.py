"""The report in a browser, opened from disk: what its script does, how it fits, what it fetches.

A probe is put behind the script of the page; what it sees comes back in the page that the browser
prints.
"""

import html
import json
import re
import shutil
import subprocess
from pathlib import Path

import pytest

from reports.html import render
from reports.page import _hash
from tests.reports.sample_run import sample

NAMES = ("chromium", "chromium-browser", "google-chrome")
BROWSER = next(filter(None, map(shutil.which, NAMES)), "")
pytestmark = pytest.mark.skipif(not BROWSER, reason="no Chromium is installed")
CHANGED = {"headlines": [{"id": "lj22.eq3", "before": "open", "after": "true"}], "claims": 1}
RUN = {
    "started": "2026",
    "commit": "0" * 40,
    "headlines": {"true": 2, "open": 1},
    "changed": CHANGED,
}
SCRIPT = re.compile(r"<script>(.*?)</script>", re.DOTALL)
WATCH = """
const wrong = [];
addEventListener("error", (event) => wrong.push(event.message));
addEventListener("securitypolicyviolation", (event) => wrong.push(event.violatedDirective));
"""
TELL = """
addEventListener("load", async () => {
  const told = await probe().catch((error) => ({ error: String(error) }));
  document.title = JSON.stringify({ ...told, wrong });
});
const articlesShown = () => articles.filter((article) => !article.hidden).length;
const soon = () => new Promise((resolve) => setTimeout(resolve, 50));
"""


def seen(folder: Path, probe: str, *options: str, at: str = "") -> dict[str, object]:
    """What a probe returns, in a browser with these options. at: the fragment of the address."""
    record = sample()
    record["history"] = [RUN | {"command": record["run"]["command"]}] * 2
    text = render(record)
    (script,) = SCRIPT.findall(text)
    longer = f"{WATCH}{script}{TELL}async function probe() {{ {probe} }}"
    text = text.replace(f"<script>{script}<", f"<script>{longer}<")
    text = text.replace(_hash(script), _hash(longer))
    (folder / "report.html").write_text(text, encoding="utf-8")
    address = f"{(folder / 'report.html').as_uri()}{at}"
    command = (
        *(BROWSER, "--headless", "--no-sandbox", "--disable-gpu", "--virtual-time-budget=5000"),
        *(f"--user-data-dir={folder / 'profile'}", *options, "--dump-dom", address),
    )
    done = subprocess.run(command, capture_output=True, text=True, check=True, timeout=300)
    title = re.search(r"<title>(.*?)</title>", done.stdout, re.DOTALL)
    assert title, done.stdout[-500:]
    return json.loads(html.unescape(title[1]))


def test_it_filters_follows_links_and_unfolds_for_print(tmp_path: Path) -> None:
    found = seen(
        tmp_path,
        """
        const told = { all: articlesShown(), form: !form.hidden };
        form.elements.q.value = "decomposition";
        form.elements.q.dispatchEvent(new Event("input", { bubbles: true }));
        told.some = articlesShown();
        told.output = form.querySelector("output").textContent;
        told.address = location.hash;
        const hidden = articles.find((article) => article.hidden).querySelector(".page");
        location.hash = hidden.id;
        await soon();
        told.after = articlesShown();
        told.opened = hidden.closest("details").open;
        told.asked = form.elements.q.value;
        dispatchEvent(new Event("beforeprint"));
        told.folded = document.querySelectorAll("details:not([open])").length;
        return told;
        """,
    )
    assert found["wrong"] == []
    assert found["form"]
    assert 0 < found["some"] < found["all"]
    assert found["output"] == f"{found['some']} of {found['all']} statements"
    assert found["address"] == "#?q=decomposition"
    assert (found["after"], found["opened"], found["asked"]) == (found["all"], True, "")
    assert found["folded"] == 0


def test_a_link_from_outside_opens_what_it_leads_to(tmp_path: Path) -> None:
    name = sample()["statements"][1]["id"]
    found = seen(
        tmp_path,
        """
        const page = document.querySelector(":target");
        const native = "a[href], summary, input, select, button";
        const odd = document.querySelectorAll("[onclick], [role=button], [tabindex]");
        const named = "[aria-label], [aria-hidden=true]";
        const unnamed = [...document.querySelectorAll("input, select, svg")];
        return {
          id: page.id,
          open: page.closest("details").open,
          odd: [...odd].filter((node) => !node.matches(native)).length,
          unnamed: unnamed.filter((node) => !node.closest(named)).length,
        };
        """,
        at=f"#{name}",
    )
    assert found == {"id": name, "open": True, "odd": 0, "unnamed": 0, "wrong": []}


@pytest.mark.parametrize("width", [360, 1400])
def test_nothing_is_wider_than_the_page_and_dark_pages_are_dark(tmp_path: Path, width: int) -> None:
    probe = """
    document.querySelectorAll("details").forEach((fold) => (fold.open = true));
    const wide = `<math><mtext>${"long".repeat(900)}</mtext></math>`;
    const said = ["hyp", "said"].map((name) => `<p class="${name}">${wide}</p>`);
    const long = `<ul class="hyp"><li>${wide}</li></ul>${said.join("")}`;
    document.querySelector(".page").insertAdjacentHTML("beforeend", long);
    const style = getComputedStyle(document.body);
    const bright = (text) => text.match(/\\d+/g).slice(0, 3).reduce((sum, part) => sum + +part, 0);
    const root = document.documentElement;
    return {
      over: Math.max(0, root.scrollWidth - root.clientWidth),
      dark: bright(style.backgroundColor) < bright(style.color),
    };
    """
    size = f"--window-size={width},900"
    light = seen(tmp_path, probe, size, "--blink-settings=preferredColorScheme=1")
    dark = seen(tmp_path, probe, size, "--blink-settings=preferredColorScheme=0")
    assert light == {"over": 0, "dark": False, "wrong": []}
    assert dark == {"over": 0, "dark": True, "wrong": []}
