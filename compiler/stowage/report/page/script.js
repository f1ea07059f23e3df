"use strict";
// An SVG element that listens for focus would take it, so its parent listens.
const drawing = document.querySelector("svg[role=group]").parentElement;
const readout = document.getElementById("readout");
const marks = Array.from(drawing.querySelectorAll("[data-name]"));
const shown = [
  ["type", "Type"], ["kind", "Kind"], ["size", "Size"], ["place", "Place"], ["life", "Life"], ["over", "Lies over"],
  ["arena", "Arena"], ["instructions", "Instructions"], ["steps", "Steps"],
];
let told = null;

function tell(mark) {
  if (mark === told) return;
  if (told) told.classList.remove("told");
  told = mark;
  mark.classList.add("told");
  const name = document.createElement("p");
  name.className = "name";
  name.textContent = mark.dataset.name;
  const list = document.createElement("dl");
  for (const [key, title] of shown) {
    if (!mark.dataset[key]) continue;
    const pair = document.createElement("div");
    pair.append(document.createElement("dt"), document.createElement("dd"));
    pair.children[0].textContent = title;
    pair.children[1].textContent = mark.dataset[key];
    list.append(pair);
  }
  readout.replaceChildren(name, list);
}

function markOf(event) {
  return event.target.closest("[data-name]");
}

drawing.addEventListener("pointerover", (event) => {
  if (markOf(event)) tell(markOf(event));
});
drawing.addEventListener("focusin", (event) => {
  if (markOf(event)) tell(markOf(event));
});
drawing.addEventListener("keydown", (event) => {
  const by = {ArrowRight: 1, ArrowUp: 1, ArrowLeft: -1, ArrowDown: -1}[event.key];
  const from = marks.indexOf(markOf(event));
  if (!by || from < 0) return;
  const to = marks[(from + by + marks.length) % marks.length];
  marks[from].setAttribute("tabindex", "-1");
  to.setAttribute("tabindex", "0");
  to.focus();
  event.preventDefault();
});
