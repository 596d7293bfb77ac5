// Sorting, filtering and unfolding. The page is complete without it.
"use strict";
(() => {
  const valueOf = (row, column) => {
    const cell = row.cells[column];
    const text = cell.querySelector("data")?.value ?? cell.textContent.trim();
    const number = (cell.classList.contains("num") ? parseFloat : Number)(text.replaceAll(",", "").replace("−", "-"));
    return text !== "" && Number.isFinite(number) ? number : text;
  };
  const compare = (a, b) => {
    if (typeof a === "number" && typeof b === "number") return a - b;
    if (typeof a !== typeof b) return typeof a === "number" ? -1 : 1;
    return a < b ? -1 : a > b ? 1 : 0;
  };
  for (const table of document.querySelectorAll("table.sortable")) {
    const heads = [...table.tHead.rows[0].cells];
    heads.forEach((head, column) => {
      const button = document.createElement("button");
      button.type = "button";
      button.append(...head.childNodes);
      head.append(button);
      button.addEventListener("click", () => {
        const isDown = head.getAttribute("aria-sort") === "ascending";
        for (const other of heads) other.removeAttribute("aria-sort");
        head.setAttribute("aria-sort", isDown ? "descending" : "ascending");
        const body = table.tBodies[0];
        const rows = [...body.rows].map((row) => [valueOf(row, column), row]);
        rows.sort(([a], [b]) => (isDown ? compare(b, a) : compare(a, b)));
        body.append(...rows.map(([, row]) => row));
      });
    });
  }
  for (const tools of document.querySelectorAll(".tools[data-for]")) {
    const table = document.getElementById(tools.dataset.for);
    const search = tools.querySelector("input");
    const choice = tools.querySelector("select");
    const count = tools.querySelector("output");
    const rows = [...table.tBodies[0].rows];
    const apply = () => {
      const words = search.value.toLowerCase();
      let shown = 0;
      for (const row of rows) {
        const isShown =
          row.textContent.toLowerCase().includes(words) && (choice.value === "" || row.dataset.tone === choice.value);
        row.hidden = !isShown;
        if (isShown) shown++;
      }
      count.textContent = `${shown} of ${rows.length}`;
    };
    search.addEventListener("input", apply);
    choice.addEventListener("change", apply);
    tools.hidden = false;
  }
  for (const button of document.querySelectorAll("button[data-unfold]")) {
    button.addEventListener("click", () => {
      for (const each of document.querySelectorAll("details")) each.open = true;
    });
    button.closest(".tools").hidden = false;
  }
  const reveal = () => {
    for (let at = document.getElementById(decodeURIComponent(location.hash.slice(1))); at; at = at.parentElement)
      if (at.tagName === "DETAILS") at.open = true;
  };
  addEventListener("hashchange", reveal);
  reveal();
})();
