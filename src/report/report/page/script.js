(() => {
  "use strict";
  const root = document.documentElement;
  const all = (selector, of = document) => [...of.querySelectorAll(selector)];
  const button = (words, label, act) => {
    const made = document.createElement("button");
    made.type = "button";
    made.textContent = words;
    made.setAttribute("aria-label", label);
    made.addEventListener("click", act);
    return made;
  };

  const theme = document.getElementById("theme");
  theme.hidden = false;
  theme.addEventListener("click", () => {
    const system = matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light";
    root.dataset.theme = (root.dataset.theme || system) === "dark" ? "light" : "dark";
  });

  // Cells are compared by their full numbers; those without one come last either way.
  const key = (cell) => {
    const number = cell.classList.contains("number");
    const text = cell.dataset.sort ?? (number ? "" : cell.textContent.trim());
    return { text, value: text === "" ? NaN : Number(text), none: text === "" };
  };
  const compare = (a, b) => {
    if (Number.isNaN(a.value) || Number.isNaN(b.value)) return a.text.localeCompare(b.text, "en", { numeric: true });
    return a.value - b.value;
  };
  for (const table of all("figure.table table")) {
    const body = table.tBodies[0];
    const heads = table.tHead && [...table.tHead.rows].at(-1)?.cells;
    if (!body || !heads) continue;
    const original = [...body.rows];
    [...heads].forEach((head, at) => {
      const sort = document.createElement("button");
      sort.type = "button";
      sort.className = "sort";
      sort.append(...head.childNodes);
      head.append(sort);
      sort.addEventListener("click", () => {
        const order = { ascending: "descending", descending: "" }[head.getAttribute("aria-sort")] ?? "ascending";
        for (const other of heads) other.removeAttribute("aria-sort");
        if (order) head.setAttribute("aria-sort", order);
        table.classList.toggle("sorted", order !== "");
        const sign = order === "descending" ? -1 : 1;
        const keyed = original.map((row) => [key(row.cells[at]), row]);
        if (order) keyed.sort(([a], [b]) => a.none - b.none || sign * compare(a, b));
        body.append(...keyed.map(([, row]) => row));
      });
    });
  }

  // Rows that have all the typed words, whatever their order.
  for (const table of all("figure.table table")) {
    const rows = [...table.tBodies[0].rows];
    if (rows.length < 24) continue;
    const filter = document.createElement("input");
    filter.type = "search";
    filter.className = "filter";
    filter.placeholder = `Filter ${rows.length} rows`;
    filter.setAttribute("aria-label", "Filter rows");
    filter.addEventListener("input", () => {
      const words = filter.value.toLowerCase().split(/\s+/).filter((word) => word);
      table.classList.toggle("filtered", words.length > 0);
      for (const row of rows) {
        const text = [...row.cells].map((cell) => cell.textContent).join(" ").toLowerCase();
        row.hidden = !words.every((word) => text.includes(word));
      }
    });
    table.closest("figure").before(filter);
  }

  for (const view of all(".view")) {
    const svg = view.querySelector("svg.plot");
    const { x, y, width, height } = svg.viewBox.baseVal;
    const full = [x, y, width, height];
    let box = full;
    const show = (next) => {
      const size = Math.min(next[2], full[2]);
      const within = (at, by) => Math.min(Math.max(next[at], full[at]), full[at] + full[at + 2] - by);
      const tall = (size * full[3]) / full[2];
      box = [within(0, size), within(1, tall), size, tall];
      svg.setAttribute("viewBox", box.join(" "));
      view.classList.toggle("zoomed", size < full[2]);
    };
    const at = (event) => {
      const { left, top, width, height } = svg.getBoundingClientRect();
      return [(event.clientX - left) / width, (event.clientY - top) / height];
    };
    const zoom = (by, [across, down] = [0.5, 0.5]) => {
      const size = Math.max(box[2] * by, full[2] / 40);
      const change = box[2] - size;
      show([box[0] + across * change, box[1] + (down * change * full[3]) / full[2], size]);
    };
    const move = (across, down) => show([box[0] + across * box[2], box[1] + down * box[3], box[2]]);
    view.tabIndex = 0;
    view.addEventListener("wheel", (event) => {
      if (!event.ctrlKey && !event.metaKey && document.activeElement !== view) return;
      event.preventDefault();
      zoom(event.deltaY < 0 ? 0.8 : 1.25, at(event));
    }, { passive: false });
    let from = null;
    svg.addEventListener("pointerdown", (event) => {
      if (!view.classList.contains("zoomed")) return;
      from = at(event);
      svg.setPointerCapture(event.pointerId);
    });
    svg.addEventListener("pointermove", (event) => {
      if (!from) return;
      const to = at(event);
      move(from[0] - to[0], from[1] - to[1]);
      from = to;
    });
    for (const end of ["pointerup", "pointercancel"]) svg.addEventListener(end, () => { from = null; });
    svg.addEventListener("dblclick", () => show(full));
    const keys = {
      "+": () => zoom(0.8), "=": () => zoom(0.8), "-": () => zoom(1.25), 0: () => show(full),
      ArrowLeft: () => move(-0.1, 0), ArrowRight: () => move(0.1, 0), ArrowUp: () => move(0, -0.1), ArrowDown: () => move(0, 0.1),
    };
    view.addEventListener("keydown", (event) => {
      const act = keys[event.key];
      if (!act || event.ctrlKey || event.metaKey || (event.key.startsWith("Arrow") && box[2] === full[2])) return;
      event.preventDefault();
      act();
    });
    const tools = document.createElement("div");
    tools.className = "tools";
    tools.append(
      button("+", "Zoom in", () => zoom(0.7)), button("\u2212", "Zoom out", () => zoom(1 / 0.7)),
      button("All", "Show all of the plot", () => show(full)),
      "Click the plot, then turn the wheel; drag to move; double click shows all.",
    );
    view.after(tools);
  }

  // A link leads to what it names, folded or not.
  const reveal = () => {
    const target = location.hash && document.getElementById(decodeURIComponent(location.hash.slice(1)));
    if (!target) return;
    for (const folded of [target.closest("details"), target.querySelector(":scope > details")]) if (folded) folded.open = true;
    target.scrollIntoView();
  };
  addEventListener("hashchange", reveal);
  reveal();
})();
