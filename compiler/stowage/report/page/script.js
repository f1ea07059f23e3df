"use strict";
// An SVG element that listens for focus would take it, so its parent listens.
const plan = document.getElementById("plan").parentElement;
const readout = document.getElementById("readout");
const buffers = Array.from(plan.querySelectorAll(".buffer"));
const shown = [["type", "Type"], ["kind", "Kind"], ["size", "Size"], ["place", "Place"], ["life", "Life"], ["over", "Lies over"]];
let told = null;

function tell(buffer) {
  if (buffer === told) return;
  if (told) told.classList.remove("told");
  told = buffer;
  buffer.classList.add("told");
  const name = document.createElement("p");
  name.className = "name";
  name.textContent = buffer.dataset.name;
  const list = document.createElement("dl");
  for (const [key, title] of shown) {
    if (!buffer.dataset[key]) continue;
    const pair = document.createElement("div");
    pair.append(document.createElement("dt"), document.createElement("dd"));
    pair.children[0].textContent = title;
    pair.children[1].textContent = buffer.dataset[key];
    list.append(pair);
  }
  readout.replaceChildren(name, list);
}

function bufferOf(event) {
  return event.target.closest(".buffer");
}

plan.addEventListener("pointerover", (event) => {
  if (bufferOf(event)) tell(bufferOf(event));
});
plan.addEventListener("focusin", (event) => {
  if (bufferOf(event)) tell(bufferOf(event));
});
plan.addEventListener("keydown", (event) => {
  const by = {ArrowRight: 1, ArrowUp: 1, ArrowLeft: -1, ArrowDown: -1}[event.key];
  const from = buffers.indexOf(bufferOf(event));
  if (!by || from < 0) return;
  const to = buffers[(from + by + buffers.length) % buffers.length];
  buffers[from].setAttribute("tabindex", "-1");
  to.setAttribute("tabindex", "0");
  to.focus();
  event.preventDefault();
});
