// Opening and filtering. The page is complete without it.
"use strict";
(() => {
  const all = (selector) => document.querySelectorAll(selector);
  for (const button of all(".exps button")) {
    const content = document.getElementById(button.getAttribute("aria-controls"));
    const set = (isOpen) => {
      button.setAttribute("aria-expanded", isOpen);
      if (isOpen) content.removeAttribute("hidden");
      else content.setAttribute("hidden", "until-found");
    };
    set("open" in content.dataset);
    button.addEventListener("click", () => set(content.hasAttribute("hidden")));
    content.addEventListener("beforematch", () => set(true));
  }
  const [tools] = all(".tools");
  if (tools === undefined) return;
  const [search, choice, count] = tools.querySelectorAll("input, select, output");
  const apply = () => {
    const words = search.value.toLowerCase();
    let [of, shown, isShown] = [0, 0, false];
    for (const row of all(".exps > tbody > tr")) {
      if (row.matches(".e:not(.cont)")) {
        isShown = row.dataset.t.includes(words) && (choice.value === "" || row.dataset.v === choice.value);
        of += 1;
        shown += isShown;
      }
      row.hidden = !isShown;
    }
    count.textContent = shown < of ? `${shown} of ${of}` : "";
  };
  search.addEventListener("input", apply);
  choice.addEventListener("change", apply);
  tools.hidden = false;
})();
