"use strict";
// Everything is readable without this: it filters statements, keeps the filter in the address, opens
// what a link leads to, and copies formulas as LaTeX.
const form = document.getElementById("find");
const articles = [...document.querySelectorAll("main article")];
const groups = [...document.querySelectorAll("details.group, main section:has(article)")];
const texts = new Map();

function plain(text) {
  return text.toLowerCase().replaceAll("\u2060", "").replace(/[\s.,;:()]+/g, " ");
}

function textOf(article) {
  if (!texts.has(article)) {
    const tex = [...article.querySelectorAll("math[alttext]")].map((m) => m.getAttribute("alttext"));
    texts.set(article, plain(`${article.textContent} ${tex.join(" ")}`));
  }
  return texts.get(article);
}

function filter() {
  const wanted = new FormData(form);
  const asked = plain(wanted.get("q")).trim();
  const keys = ["w", "p", "r"].filter((key) => wanted.get(key));
  const active = asked !== "" || keys.length > 0;
  let shown = 0;
  for (const article of articles) {
    const fits = keys.every((key) => article.closest(`[data-${key}]`).dataset[key] === wanted.get(key));
    article.hidden = !(fits && textOf(article).includes(asked));
    shown += !article.hidden;
  }
  for (const group of groups) {
    const some = [...group.querySelectorAll("article")].some((article) => !article.hidden);
    group.hidden = active && !some;
    if (group.localName === "details") group.open = active && some;
  }
  document.body.classList.toggle("filtered", active);
  form.querySelector("output").textContent = active ? `${shown} of ${articles.length} statements` : "";
  return active;
}

function keep() {
  const state = new URLSearchParams([...new FormData(form)].filter(([, value]) => value));
  history.replaceState({}, "", filter() ? `#?${state}` : "#");
}

function follow(event) {
  const before = event && history.state; // of a place where the reader was, and comes back to
  if (!history.state) history.replaceState({}, "");
  const hash = location.hash;
  const filtered = hash.startsWith("#?");
  if (filtered) {
    const state = new URLSearchParams(hash.slice(2));
    for (const field of form.elements) if (field.name) field.value = state.get(field.name) || "";
    filter();
  }
  const target = filtered ? null : document.getElementById(decodeURIComponent(hash.slice(1)));
  if (target?.closest("[hidden]")) {
    form.reset();
    filter();
  }
  for (let node = target; node; node = node.parentElement) if (node.localName === "details") node.open = true;
  if (!before) target?.scrollIntoView();
  else if (before.top !== undefined) scrollTo(0, before.top);
}

function leave(event) {
  if (event.target.closest('a[href^="#"]')) history.replaceState({ top: scrollY }, "");
}

function copied(event) {
  const selection = getSelection();
  if (!selection.rangeCount || selection.isCollapsed) return;
  const range = selection.getRangeAt(0);
  const around = range.commonAncestorContainer;
  const inside = (around.nodeType === 1 ? around : around.parentElement).closest("math");
  const part = document.createElement("div");
  part.append(inside ? inside.cloneNode(true) : range.cloneContents());
  const maths = [...part.querySelectorAll("math")];
  if (!maths.some((math) => math.hasAttribute("alttext"))) return;
  const done = new Set();
  for (const math of maths) {
    const tex = math.getAttribute("alttext");
    const mark = math.hasAttribute("displaystyle") ? "$$" : "$";
    const rest = done.has(math.previousSibling) ? "" : math.textContent; // broken off from the one before
    const text = document.createTextNode(tex === null ? rest : mark + tex + mark);
    done.add(text);
    math.replaceWith(text);
  }
  for (const block of part.querySelectorAll("p, li, h2, h3, h4, h5, tr, blockquote, .equation")) block.append("\n");
  event.clipboardData.setData("text/plain", part.textContent.replaceAll("\u2060", "").trim());
  event.preventDefault();
}

form.hidden = false;
form.addEventListener("input", keep);
form.addEventListener("submit", (event) => event.preventDefault());
addEventListener("click", leave);
addEventListener("hashchange", follow);
addEventListener("copy", copied);
addEventListener("beforeprint", () => document.querySelectorAll("details").forEach((fold) => (fold.open = true)));
follow();
