// Looks at the page as a reader would, and writes its problems into the parent page under the frame's name;
// `tests/cli/page.rs` reads them there.
addEventListener("load", async () => {
  const problems = [];
  document.querySelectorAll("details").forEach((details) => (details.open = true));
  const visible = (element) => element.getClientRects().length > 0;
  const name = (element) => `${element.tagName.toLowerCase()} '${element.textContent.trim().slice(0, 40)}'`;

  const width = document.documentElement.clientWidth;
  for (const element of document.body.querySelectorAll("*")) {
    // Wide content scrolls within its own box.
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
    // Many machines take one column each.
    const isOnPage = box.parentElement.tagName === "SECTION" && !box.closest("#machines");
    if (isWider && isOnPage && innerWidth >= 1280) problems.push(`clipped: ${caption}: ${box.scrollWidth} in ${box.clientWidth}`);
    if (isWider && box.closest("#summary")) problems.push(`clipped: ${caption}: columns of the summary are hidden`);
  }

  // Components and contrast of colours, as WCAG 2 defines them.
  const parts = (color) => color.match(/[\d.]+/g).map(Number);
  const isOpaque = (element) => parts(getComputedStyle(element).backgroundColor)[3] !== 0;

  const charts = [...document.querySelectorAll(".chart")].filter(visible);
  if (charts.length !== document.querySelectorAll("figure").length) problems.push("charts: not one visible in each figure");
  for (const chart of charts) {
    const title = chart.closest("figure").querySelector("figcaption").textContent;
    const found = chart.querySelectorAll(".body .bar, .body .dot").length;
    if (+chart.dataset.values !== found) problems.push(`marks: ${title}: found ${found}, expected ${chart.dataset.values}`);
    if (chart.getAttribute("role") !== "img" || !chart.ariaLabel?.trim()) problems.push(`names: ${title}: no named image`);

    const frame = chart.getBoundingClientRect();
    const boxes = [];
    for (const walker = document.createTreeWalker(chart, NodeFilter.SHOW_TEXT); walker.nextNode(); ) {
      const range = document.createRange();
      range.selectNodeContents(walker.currentNode);
      boxes.push([walker.currentNode, range.getBoundingClientRect()]);
    }
    if (boxes.length < 4) problems.push(`labels: ${title}: found ${boxes.length}`);
    for (const line of chart.querySelectorAll(".line:not(.level)")) {
      const { left, top, bottom } = line.getBoundingClientRect();
      for (const [text, box] of boxes) {
        const crosses = left > box.left + 1 && left < box.right - 1 && top < box.bottom - 4 && bottom > box.top + 4;
        if (crosses && !isOpaque(text.parentElement)) problems.push(`crossed: ${title}: a line runs through '${text.data}'`);
      }
    }
    boxes.forEach(([text, box], number) => {
      if (!text.data.trim()) problems.push(`labels: ${title}: an empty one`);
      const inside = box.left >= frame.left - 1 && box.right <= frame.right + 1 && box.top >= frame.top - 1 && box.bottom <= frame.bottom + 1;
      if (!inside) problems.push(`overflow: ${title}: label '${text.data}' leaves the picture`);
      for (const [other, its] of boxes.slice(number + 1)) {
        const across = Math.min(box.right, its.right) - Math.max(box.left, its.left);
        const down = Math.min(box.bottom, its.bottom) - Math.max(box.top, its.top);
        // Boxes have room above and below the letters.
        if (across > 1 && down > 3) problems.push(`overlap: ${title}: '${text.data}' and '${other.data}'`);
      }
    });
  }

  const luminance = (color) => {
    const [r, g, b] = parts(color).map((part) => part / 255).map((part) => (part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4));
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  const papers = new Map([[null, "rgb(255, 255, 255)"]]);
  const paper = (element) => {
    if (!papers.has(element)) {
      papers.set(element, isOpaque(element) ? getComputedStyle(element).backgroundColor : paper(element.parentElement));
    }
    return papers.get(element);
  };
  const poor = new Set();
  for (const element of document.body.querySelectorAll("*")) {
    const hasText = [...element.childNodes].some((node) => node.nodeType === Node.TEXT_NODE && node.textContent.trim());
    if (!hasText || !visible(element)) continue;
    const [one, other] = [luminance(getComputedStyle(element).color), luminance(paper(element))];
    const contrast = (Math.max(one, other) + 0.05) / (Math.min(one, other) + 0.05);
    if (contrast < 4.5) poor.add(`contrast: ${name(element)} ${contrast.toFixed(2)}`);
  }
  problems.push(...poor);

  const isDark = matchMedia("(prefers-color-scheme: dark)").matches;
  const resources = performance.getEntriesByType("resource").map((entry) => entry.name);
  const asking = [...document.querySelectorAll("[src], link[href]")].map((element) => element.outerHTML);
  if (resources.length + asking.length) problems.push(`network: ${[...resources, ...asking]}`);

  const table = document.querySelector("#rates table");
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

  const seen = { problems, frame: window.name, width: innerWidth, isDark };
  const verdict = parent.document.createElement("script");
  verdict.type = "application/json";
  verdict.className = "verdict";
  verdict.textContent = JSON.stringify(seen).replaceAll("<", "\\u003c");
  parent.document.body.append(verdict);
});
