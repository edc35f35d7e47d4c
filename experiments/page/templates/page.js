"use strict";
(() => {
  const $ = (id) => document.getElementById(id);
  const data = JSON.parse($("data").textContent);
  const inside = JSON.parse($("packs").textContent);
  const MARKS = ["✓", "R", "U", "W", "C", "T", "F", "–", "M", "!"];
  const FIRST_ROWS = 250;
  // Columns of a sample's row, as experiments/page/write.py writes them.
  const TASK = 0, SIDE = 1, NUMBER = 2, KIND = 3, ABOUT = 4, ANSWERS = 5, TOKENS = 6, COST = 7, SECONDS = 8, RECALL = 9, LIKE = 10;

  /** An element with attributes, and children as text or elements. Text never becomes markup. */
  const make = (name, attributes = {}, ...children) => {
    const made = document.createElement(name);
    for (const [key, value] of Object.entries(attributes)) if (value !== null && value !== false) made.setAttribute(key, value);
    made.append(...children);
    return made;
  };

  // ---- tasks with their samples
  const tasks = data.tasks.map(([id, name, repo, level, health, place], number) => ({ id, name, repo, level, health, place, number, samples: [] }));
  data.samples.forEach((row) => tasks[row[TASK]].samples.push(row));
  for (const task of tasks) {
    task.passes = data.sides.map((_, side) => task.samples.filter((row) => row[SIDE] === side && row[KIND] === 0).length);
    task.text = [task.id, task.name, task.repo, task.place].join(" ").toLowerCase();
    const tried = new Set(task.samples.map((row) => row[SIDE]));
    const solved = task.passes.filter((count) => count > 0).length;
    task.solved = solved === 0 ? "none" : solved === tried.size ? "every" : "differ";
  }
  const sampleText = (row) => `${data.sides[row[SIDE]]} ${data.kinds[row[KIND]]} ${row[ABOUT]}`.toLowerCase();
  const address = (row) => `#story/${encodeURIComponent(data.tasks[row[TASK]][0])}/${row[SIDE]}/${row[NUMBER]}`;
  const rowAt = (hash) => data.samples.find((row) => address(row) === hash);
  const mark = (row) => {
    const label = `${data.sides[row[SIDE]]}, sample ${row[NUMBER]}: ${data.kinds[row[KIND]]}`;
    const kind = row[KIND] === 0 ? "good" : row[KIND] >= 8 ? "none" : "";
    return make("a", { class: `m ${kind}`, href: address(row), title: label, "aria-label": label }, MARKS[row[KIND]]);
  };

  // ---- filters
  const options = (id, values, names = values) => values.forEach((value, at) => $(id).append(make("option", { value }, names[at])));
  const distinct = (values) => [...new Set(values)];
  options("repo", distinct(tasks.map((task) => task.repo)).sort());
  options("level", distinct(tasks.map((task) => task.level)));
  options("side", data.sides.map((_, at) => at), data.sides);
  const occurring = distinct(data.samples.map((row) => row[KIND])).sort((a, b) => a - b);
  options("kind", occurring, occurring.map((kind) => data.kinds[kind]));
  for (let side = 1; side < data.sides.length && data.sides.length <= 12; side++) {
    options("solved", [`0>${side}`, `${side}>0`], [`${data.sides[0]} solved, ${data.sides[side]} not`, `${data.sides[side]} solved, ${data.sides[0]} not`]);
  }
  occurring.forEach((kind) => $("marks").append(make("span", {}, make("span", { class: `m ${kind === 0 ? "good" : kind >= 8 ? "none" : ""}`, "aria-hidden": "true" }, MARKS[kind]), data.kinds[kind])));

  let bySample = false;
  let whole = false;
  let sort = { column: null, down: false };
  let shownSamples = data.samples;

  const matches = () => {
    const words = $("query").value.toLowerCase().split(/\s+/).filter(Boolean);
    const [repo, level, side, kind, solved] = ["repo", "level", "side", "kind", "solved"].map((id) => $(id).value);
    const [winner, loser] = solved.split(">");
    const fits = (row) => {
      const task = tasks[row[TASK]];
      if (repo && task.repo !== repo) return false;
      if (level && task.level !== level) return false;
      if (side !== "" && row[SIDE] !== Number(side)) return false;
      if (kind !== "" && row[KIND] !== Number(kind)) return false;
      if (loser === undefined ? solved && task.solved !== solved : !(task.passes[winner] > 0 && task.passes[loser] === 0)) return false;
      const text = words.length ? `${task.text} ${sampleText(row)}` : "";
      return words.every((word) => text.includes(word));
    };
    return data.samples.filter(fits);
  };

  const compare = (a, b) => {
    if (a === null || a === undefined) return b === null || b === undefined ? 0 : 1;
    if (b === null || b === undefined) return -1;
    return typeof a === "number" && typeof b === "number" ? a - b : String(a).localeCompare(String(b), undefined, { numeric: true });
  };
  const number = (value, digits = 0) => (value === null ? "-" : value.toFixed(digits));
  const sampleColumns = [
    ["task", (row) => tasks[row[TASK]].name, (row) => make("th", { scope: "row" }, make("a", { href: address(row) }, tasks[row[TASK]].name), make("span", { class: "under" }, tasks[row[TASK]].id))],
    ["repository", (row) => tasks[row[TASK]].repo],
    ["level", (row) => tasks[row[TASK]].level],
    ["arm", (row) => data.sides[row[SIDE]]],
    ["sample", (row) => row[NUMBER], null, true],
    ["result", (row) => data.kinds[row[KIND]]],
    ["about", (row) => row[ABOUT]],
    ["answers", (row) => row[ANSWERS], null, true],
    ["tokens", (row) => row[TOKENS], null, true],
    ["USD", (row) => row[COST], (row) => make("td", { class: "number" }, number(row[COST], 4)), true],
    ["seconds", (row) => row[SECONDS], (row) => make("td", { class: "number" }, number(row[SECONDS], 1)), true],
    ["callees seen, %", (row) => row[RECALL], (row) => make("td", { class: "number" }, number(row[RECALL])), true],
    ["like the gold, %", (row) => row[LIKE], null, true],
  ].filter(([title]) => title !== "USD" || data.samples.some((row) => row[COST]));
  const taskColumns = [
    ["task", (task) => task.name, (task) => make("th", { scope: "row" }, task.name, make("span", { class: "under" }, `${task.id}${task.place ? " " + task.place : ""}`))],
    ["repository", (task) => task.repo],
    ["level", (task) => task.level],
    ["health", (task) => task.health],
    ...data.sides.map((name, side) => [name, (task) => -task.passes[side], (task) => make("td", { class: "cell" }, ...task.samples.filter((row) => row[SIDE] === side).map(mark))]),
  ].filter(([title]) => title !== "health" || tasks.some((task) => task.health && task.health !== "valid"));

  const plural = (count, what) => `${count} ${what}${count === 1 ? "" : "s"}`;
  const list = () => {
    shownSamples = matches();
    const columns = bySample ? sampleColumns : taskColumns;
    const shownTasks = distinct(shownSamples.map((row) => row[TASK])).map((at) => tasks[at]);
    const items = bySample ? [...shownSamples] : shownTasks;
    const column = columns.find(([title]) => title === sort.column);
    if (column) items.sort((a, b) => (sort.down ? -1 : 1) * compare(column[1](a), column[1](b)));
    if (bySample) shownSamples = items;
    else if (column) shownSamples = items.flatMap((task) => shownSamples.filter((row) => row[TASK] === task.number));
    const body = make("tbody");
    for (const item of whole ? items : items.slice(0, FIRST_ROWS)) {
      const row = make("tr");
      for (const [, value, cell, right] of columns) row.append(cell ? cell(item) : make("td", { class: right ? "number" : null }, String(value(item) ?? "")));
      body.append(row);
    }
    const head = make("tr");
    for (const [title, , , right] of columns) {
      const sorted = title === sort.column ? (sort.down ? "descending" : "ascending") : null;
      const button = make("button", { type: "button" }, title);
      button.addEventListener("click", () => {
        sort = { column: title, down: sort.column === title && !sort.down };
        list();
        [...$("list").querySelectorAll("th > button")].find((other) => other.textContent === title).focus();
      });
      head.append(make("th", { scope: "col", class: right ? "number" : null, "aria-sort": sorted }, button));
    }
    $("list").replaceChildren(make("table", {}, make("thead", {}, head), body));
    $("count").textContent = `${plural(shownTasks.length, "task")}, ${plural(shownSamples.length, "sample")} of ${data.samples.length}`;
    $("more").hidden = whole || items.length <= FIRST_ROWS;
    $("more").textContent = `Show all ${items.length} rows`;
  };
  const show = (samples) => {
    bySample = samples;
    sort = { column: null, down: false };
    $("by-task").setAttribute("aria-pressed", String(!samples));
    $("by-sample").setAttribute("aria-pressed", String(samples));
    list();
  };
  $("filters").addEventListener("input", () => list());
  $("filters").addEventListener("submit", (event) => event.preventDefault());
  $("filters").addEventListener("reset", () => setTimeout(list));
  $("by-task").addEventListener("click", () => show(false));
  $("by-sample").addEventListener("click", () => show(true));
  $("more").addEventListener("click", () => { whole = true; list(); });

  // ---- tables that stand in the page sort by their titles
  for (const table of document.querySelectorAll("table.sortable")) {
    const heads = [...table.tHead.rows[0].cells];
    heads.forEach((head, at) => {
      if ("plain" in head.dataset) return;
      const button = make("button", { type: "button" }, ...head.childNodes);
      head.append(button);
      button.addEventListener("click", () => {
        const down = head.getAttribute("aria-sort") === "ascending";
        heads.forEach((other) => other.removeAttribute("aria-sort"));
        head.setAttribute("aria-sort", down ? "descending" : "ascending");
        const key = (row) => {
          const cell = row.cells[at];
          const text = cell.dataset.sort ?? cell.textContent.trim();
          const value = parseFloat(text);
          return Number.isNaN(value) ? text : value;
        };
        const rows = [...table.tBodies[0].rows].sort((a, b) => (down ? -1 : 1) * compare(key(a), key(b)));
        table.tBodies[0].append(...rows);
      });
    });
  }

  // ---- stories: packed by task, in the page or in files beside it
  const opened = new Map();
  const waiting = new Map();
  const unpack = async (packed) => {
    const bytes = Uint8Array.from(atob(packed), (letter) => letter.charCodeAt(0));
    const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate"));
    return JSON.parse(await new Response(stream).text());
  };
  globalThis.graftPack = (task, packed) => waiting.get(task)?.(packed);
  const fromFile = (task) => new Promise((found, failed) => {
    waiting.set(task, found);
    const file = `${data.beside}/${String(task).padStart(5, "0")}.js`;
    const script = make("script", { src: file.split("/").map(encodeURIComponent).join("/") });
    script.addEventListener("error", () => failed(new Error(`${file} isn't there: it belongs beside this page`)));
    document.head.append(script);
  });
  const packOf = (task) => {
    if (!opened.has(task)) opened.set(task, (data.beside ? fromFile(task) : Promise.resolve(inside[task])).then(unpack));
    return opened.get(task);
  };

  let current = null;
  let left = 0;
  const tell = async (row) => {
    if (current === null) left = scrollY;
    current = row;
    const task = tasks[row[TASK]];
    let told;
    try {
      const pack = await packOf(row[TASK]);
      told = document.createElement("div");
      told.innerHTML = pack.stories[`${row[SIDE]}.${row[NUMBER]}`];
      for (const place of told.querySelectorAll("pre[data-text]")) place.textContent = pack.texts[place.dataset.text];
    } catch (error) {
      opened.delete(row[TASK]);
      told = make("div", {}, make("h1", { tabindex: "-1" }, task.name), make("p", { class: "flag" }, `This story can't be shown: ${error.message}.`));
    }
    if (current !== row) return;
    const sides = make("ul");
    data.sides.forEach((name, side) => {
      const own = task.samples.filter((other) => other[SIDE] === side);
      if (own.length) sides.append(make("li", {}, `${name} `, ...own.map((other) => {
        const made = mark(other);
        if (other === row) made.setAttribute("aria-current", "true");
        return made;
      })));
    });
    $("others").replaceChildren(sides);
    $("told").replaceChildren(...told.childNodes);
    const at = shownSamples.indexOf(row);
    $("previous").disabled = at <= 0;
    $("next").disabled = at < 0 || at === shownSamples.length - 1;
    $("overview").hidden = true;
    $("story").hidden = false;
    document.title = `${task.name}, ${data.sides[row[SIDE]]} ${row[NUMBER]}`;
    scrollTo(0, 0);
    $("told").querySelector("h1").focus({ preventScroll: true });
  };
  const title = document.title;
  const overview = () => {
    const before = current;
    current = null;
    $("story").hidden = true;
    $("overview").hidden = false;
    document.title = title;
    if (before === null) return;
    scrollTo(0, left);
    const link = [...$("list").querySelectorAll("a")].find((other) => other.getAttribute("href") === address(before));
    link?.focus({ preventScroll: true });
  };
  // Keys go by the address, which changes at once: `current` follows only when the browser tells of the change.
  const step = (by) => {
    const at = shownSamples.indexOf(rowAt(location.hash));
    if (at >= 0 && shownSamples[at + by]) location.hash = address(shownSamples[at + by]);
  };
  // Each change is followed for itself, so that the way back leads to the story that was left.
  const route = (hash) => {
    const row = rowAt(hash);
    if (row) return void tell(row);
    const where = hash.slice(1).split("/")[0];
    const wasStory = current !== null;
    overview();
    if (where.startsWith("samples?")) {
      $("filters").reset();
      const wanted = new URLSearchParams(where.slice("samples?".length));
      for (const id of ["repo", "level", "side", "kind", "solved"]) if (wanted.has(id)) $(id).value = wanted.get(id);
      show(true);
      $("tasks").scrollIntoView();
      $("list").focus({ preventScroll: true });
    } else if (!wasStory && where) {
      document.getElementById(where)?.scrollIntoView();
    } else if (wasStory && where && where !== "tasks") {
      document.getElementById(where)?.scrollIntoView();
    }
  };
  addEventListener("hashchange", (event) => route(new URL(event.newURL).hash));
  $("previous").addEventListener("click", () => step(-1));
  $("next").addEventListener("click", () => step(1));

  // ---- keys, theme, paper
  const dark = matchMedia("(prefers-color-scheme: dark)");
  const turn = () => {
    const now = document.documentElement.dataset.theme ?? (dark.matches ? "dark" : "light");
    document.documentElement.dataset.theme = now === "dark" ? "light" : "dark";
  };
  const parts = () => {
    const all = [...$("told").querySelectorAll("details")];
    const open = all.some((part) => !part.open);
    all.forEach((part) => { part.open = open; });
  };
  $("theme").addEventListener("click", turn);
  $("help").addEventListener("click", () => $("keys").showModal());
  const keys = {
    "/": () => { if (rowAt(location.hash)) location.hash = "#tasks"; setTimeout(() => { $("query").focus(); $("query").select(); }); },
    j: () => step(1),
    k: () => step(-1),
    u: () => { if (rowAt(location.hash)) location.hash = "#tasks"; },
    o: () => parts(),
    t: () => turn(),
    "?": () => $("keys").showModal(),
  };
  addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || $("keys").open) return;
    if (event.target.closest("input, select, textarea")) return;
    const act = keys[event.key];
    if (!act) return;
    event.preventDefault();
    act();
  });
  let closed = [];
  addEventListener("beforeprint", () => {
    closed = [...$(current === null ? "details" : "told").querySelectorAll("details:not([open])")];
    closed.forEach((part) => { part.open = true; });
  });
  addEventListener("afterprint", () => closed.forEach((part) => { part.open = false; }));

  list();
  route(location.hash);
})();
