// Tables sort by the column that is clicked; without scripts they are as they were written.
for (const table of document.querySelectorAll("table")) {
  const body = table.tBodies[0];
  table.querySelectorAll("thead th").forEach((head, column) => {
    if (!head.textContent) return;
    const button = document.createElement("button");
    button.append(...head.childNodes);
    head.append(button);
    button.addEventListener("click", () => {
      const way = head.getAttribute("aria-sort") === "ascending" ? "descending" : "ascending";
      table.querySelectorAll("thead th").forEach((other) => other.removeAttribute("aria-sort"));
      head.setAttribute("aria-sort", way);
      const sign = way === "ascending" ? 1 : -1;
      const rows = [...body.rows].map((row) => [row.cells[column], row]);
      const isMissing = (cell) => cell.classList.contains("missing");
      rows.sort(([a], [b]) => {
        // What is missing stays last.
        if (isMissing(a) !== isMissing(b)) return isMissing(a) ? 1 : -1;
        const [x, y] = [a.dataset.value, b.dataset.value];
        return sign * (x !== undefined && y !== undefined ? x - y : a.textContent.localeCompare(b.textContent));
      });
      body.append(...rows.map(([, row]) => row));
    });
  });
}
