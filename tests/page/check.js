// Looks at the page as a reader would see it, and writes what is wrong beside the frame that it lies in: `tests/page.rs` reads
// it there.
addEventListener("load", async () => {
  const problems = [];
  document.querySelectorAll("details").forEach((details) => (details.open = true));
  const visible = (element) => element.getClientRects().length > 0;
  const name = (element) => `${element.tagName.toLowerCase()} '${element.textContent.trim().slice(0, 40)}'`;

  const width = document.documentElement.clientWidth;
  for (const element of document.body.querySelectorAll("*")) {
    // What is wide scrolls within its own box.
    if (!visible(element) || element.parentElement.closest(".table")) continue;
    const { left, right } = element.getBoundingClientRect();
    if (right > width + 1 || left < -1) problems.push(`overflow: ${name(element)} from ${left} to ${right} of ${width}`);
  }
  if (document.documentElement.scrollWidth > width) problems.push("overflow: the page scrolls sideways");

  const boxes = [...document.querySelectorAll(".table")].filter(visible);
  for (const box of boxes) {
    const caption = box.querySelector("caption").textContent;
    const isWider = box.scrollWidth > box.clientWidth + 1;
    const hasHint = getComputedStyle(box).backgroundImage.includes("gradient");
    if (isWider && !hasHint) problems.push(`clipped: ${caption}: nothing hints that it scrolls`);
    // The fingerprints of many machines have a column for each property.
    const isOnPage = box.parentElement.tagName === "SECTION" && !box.closest("#fingerprints");
    if (isWider && isOnPage && innerWidth >= 1280) problems.push(`clipped: ${caption}: ${box.scrollWidth} in ${box.clientWidth}`);
    if (isWider && box.closest("#summary")) problems.push(`clipped: ${caption}: columns of the summary are hidden`);
  }

  const charts = [...document.querySelectorAll("svg.chart")].filter(visible);
  if (charts.length !== document.querySelectorAll("figure").length) problems.push("charts: not one visible in each figure");
  const isSeries = (element) => /(^|\s)[fl]-s\d/.test(element.getAttribute("class") ?? "");
  for (const chart of charts) {
    const title = chart.querySelector("title").textContent;
    const count = (selector) => [...chart.querySelectorAll(selector)].filter(isSeries).length;
    const expected = (attribute, found) => {
      if (attribute !== null && +attribute !== found) problems.push(`marks: ${title}: found ${found}, expected ${attribute}`);
    };
    expected(chart.getAttribute("data-shapes"), count("rect, circle, polygon"));
    if (chart.hasAttribute("data-curves")) expected(chart.getAttribute("data-curves"), count("polyline"));
    for (const id of chart.getAttribute("aria-labelledby").split(" ")) {
      if (!document.getElementById(id)?.textContent.trim()) problems.push(`names: ${title}: nothing at ${id}`);
    }
    if (chart.getAttribute("role") !== "img") problems.push(`names: ${title}: no image`);

    const frame = chart.getBoundingClientRect();
    const texts = [...chart.querySelectorAll("text")];
    if (texts.length < 4) problems.push(`labels: ${title}: found ${texts.length}`);
    const boxes = texts.map((text) => [text, text.getBoundingClientRect()]);
    const scale = frame.width / chart.viewBox.baseVal.width;
    for (const line of chart.querySelectorAll("line, polyline")) {
      const attribute = (name) => +line.getAttribute(name);
      const points = line.tagName === "line" ? [[attribute("x1"), attribute("y1")], [attribute("x2"), attribute("y2")]] : [...line.points].map(({ x, y }) => [x, y]);
      // Upright lines: the others are curves, or ticks beside their labels.
      if (points.some(([x]) => x !== points[0][0])) continue;
      const [x, ...ends] = [points[0][0], ...points.map(([, y]) => y)].map((at) => at * scale);
      const [top, bottom] = [Math.min(...ends) + frame.top, Math.max(...ends) + frame.top];
      for (const [text, box] of boxes) {
        const crosses = x + frame.left > box.left + 1 && x + frame.left < box.right - 1 && top < box.bottom - 4 && bottom > box.top + 4;
        if (crosses) problems.push(`crossed: ${title}: a line runs through '${text.textContent}'`);
      }
    }
    boxes.forEach(([text, box], number) => {
      if (!text.textContent.trim()) problems.push(`labels: ${title}: an empty one`);
      // Labels come from people and may be cut; what an axis shows may not.
      if (text.classList.contains("f-muted") && text.textContent.endsWith("…")) problems.push(`labels: ${title}: cut: ${text.textContent}`);
      const inside = box.left >= frame.left - 1 && box.right <= frame.right + 1 && box.top >= frame.top - 1 && box.bottom <= frame.bottom + 1;
      if (!inside) problems.push(`overflow: ${title}: label '${text.textContent}' leaves the picture`);
      for (const [other, its] of boxes.slice(number + 1)) {
        const across = Math.min(box.right, its.right) - Math.max(box.left, its.left);
        const down = Math.min(box.bottom, its.bottom) - Math.max(box.top, its.top);
        // Boxes have room above and below their letters.
        if (across > 1 && down > 3) problems.push(`overlap: ${title}: '${text.textContent}' and '${other.textContent}'`);
      }
    });
  }

  // Relative luminance and contrast, as WCAG 2 defines them.
  const parts = (color) => color.match(/[\d.]+/g).map(Number);
  const luminance = (color) => {
    const [r, g, b] = parts(color).map((part) => part / 255).map((part) => (part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4));
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  const papers = new Map([[null, "rgb(255, 255, 255)"]]);
  const paper = (element) => {
    if (!papers.has(element)) {
      const color = getComputedStyle(element).backgroundColor;
      papers.set(element, parts(color)[3] !== 0 ? color : paper(element.parentElement));
    }
    return papers.get(element);
  };
  const poor = new Set();
  for (const element of document.body.querySelectorAll("*")) {
    const hasText = [...element.childNodes].some((node) => node.nodeType === Node.TEXT_NODE && node.textContent.trim());
    if (!hasText || !visible(element)) continue;
    const style = getComputedStyle(element);
    const [one, other] = [luminance(element.closest("svg") ? style.fill : style.color), luminance(paper(element))];
    const contrast = (Math.max(one, other) + 0.05) / (Math.min(one, other) + 0.05);
    if (contrast < 4.5) poor.add(`contrast: ${name(element)} ${contrast.toFixed(2)}`);
  }
  problems.push(...poor);

  const isDark = matchMedia("(prefers-color-scheme: dark)").matches;
  const resources = performance.getEntriesByType("resource").map((entry) => entry.name);
  const asking = [...document.querySelectorAll("[src], link[href]")].map((element) => element.outerHTML);
  if (resources.length + asking.length) problems.push(`network: ${[...resources, ...asking]}`);

  // The index of a site has the summary only.
  const table = document.querySelector("#measurements table, #processors table, #summary table");
  if (table) {
    const column = [...table.tHead.rows[0].cells].findIndex((cell, at) => at > 1 && table.tBodies[0].rows[0].cells[at].dataset.value);
    const values = () => [...table.tBodies[0].rows].map((row) => +(row.cells[column].dataset.value ?? 0));
    const isSorted = (sign) => values().every((value, at, all) => at === 0 || sign * (value - all[at - 1]) >= 0);
    const before = values().sort().join();
    const button = table.querySelectorAll("thead th")[column].querySelector("button");
    for (const [way, sign] of [["ascending", 1], ["descending", -1]]) {
      button?.click();
      if (!isSorted(sign)) problems.push(`sorting: not ${way} after a click`);
    }
    if (values().sort().join() !== before) problems.push("sorting: other rows than before");
  }

  for (const field of document.querySelectorAll("input[type=search]")) {
    const rows = [...field.nextElementSibling.querySelectorAll("tbody tr")];
    const shown = (text) => {
      field.value = text;
      field.dispatchEvent(new Event("input"));
      return rows.filter((row) => !row.hidden).length;
    };
    const [some, none, all] = [rows[0].cells[0].textContent.trim(), "no such text", ""].map(shown);
    if (some < 1 || none !== 0 || all !== rows.length) problems.push(`search: ${some}, ${none} and ${all} of ${rows.length} rows`);
  }

  const [timing] = performance.getEntriesByType("navigation");
  const seen = { problems, frame: window.name, width: innerWidth, isDark, charts: charts.length, ms: Math.round(timing.domContentLoadedEventEnd) };
  const verdict = parent.document.createElement("script");
  verdict.type = "application/json";
  verdict.className = "verdict";
  verdict.textContent = JSON.stringify(seen).replaceAll("<", "\\u003c");
  parent.document.body.append(verdict);
});
