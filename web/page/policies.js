// The list of policies, with controls made from their specs.
import { make } from "./dom.js";
import { expression, format, parse } from "./specs.js";

/** The classes of a policy by its place: five colours, each with four kinds of line, tell twenty apart. */
const [COLOURS, LINES] = [5, 4];
export const colour = (at) => `s${(at % COLOURS) + 1} l${(Math.floor(at / COLOURS) % LINES) + 1}`;

export class Policies {
  /**
   * @param {HTMLElement} list
   * @param {any[]} known the policies that there are
   * @param {() => void} changed
   */
  constructor(list, known, changed) {
    Object.assign(this, { list, known, changed });
    this.rows = [];
  }

  specs() {
    return this.rows.map((row) => format(row));
  }

  set(specs) {
    this.rows = specs.map(parse);
    this.draw();
  }

  add(spec) {
    this.rows.push(parse(spec));
    this.draw();
    this.changed();
    return this.list.lastElementChild;
  }

  draw() {
    this.list.replaceChildren(...this.rows.map((row, at) => this.item(row, at)));
  }

  redraw(at) {
    const isOpen = this.list.children[at].querySelector("details")?.open;
    const item = this.item(this.rows[at], at);
    this.list.children[at].replaceWith(item);
    const details = item.querySelector("details");
    if (details && isOpen) details.open = true;
    this.changed();
    return item;
  }

  item(row, at) {
    const spec = this.known.find(({ name }) => name === row.name);
    const families = [...new Set(this.known.map(({ family }) => family))];
    const choose = make(
      "select",
      {
        "aria-label": `Policy ${at + 1}`,
        onchange: ({ target }) => {
          this.rows[at] = { name: target.value, params: new Map() };
          this.redraw(at).querySelector("select").focus();
        },
      },
      families.map((family) =>
        make(
          "optgroup",
          { label: family },
          this.known
            .filter((one) => one.family === family)
            .map((one) => make("option", { value: one.name, selected: one.name === row.name }, one.name)),
        ),
      ),
    );
    if (!spec) choose.prepend(make("option", { selected: true }, row.name));
    const remove = make(
      "button",
      {
        type: "button",
        class: "plain",
        "aria-label": `Remove policy ${at + 1}, ${row.name}`,
        disabled: this.rows.length === 1,
        onclick: () => {
          this.rows.splice(at, 1);
          this.draw();
          this.changed();
        },
      },
      "✕",
    );
    const text = make("input", {
      class: "spec",
      value: format(row),
      spellcheck: "false",
      autocomplete: "off",
      "aria-label": `Spec of policy ${at + 1}`,
      onchange: ({ target }) => {
        this.rows[at] = parse(target.value);
        this.redraw(at);
      },
    });
    const item = make("li", { class: colour(at) }, make("div", { class: "head" }, choose, remove));
    if (spec) item.append(make("p", { class: "summary", title: `${spec.rule}\n${spec.source}` }, spec.summary));
    item.append(text);
    const shown = spec?.params.filter(({ control }) => control.is !== "idle") ?? [];
    if (shown.length) {
      const set = shown.filter(({ name }) => row.params.has(name)).length;
      item.append(
        make(
          "details",
          {},
          make("summary", {}, `Parameters${set ? ` (${set} set)` : ""}`),
          shown.map((param) => this.param(row, at, param)),
        ),
      );
    }
    return item;
  }

  param(row, at, param) {
    const value = row.params.get(param.name) ?? param.default;
    const id = `param-${at}-${param.name}`;
    const put = (next) => {
      if (next === param.default || next === "") row.params.delete(param.name);
      else row.params.set(param.name, next);
      const item = this.redraw(at);
      item.querySelector(`#${CSS.escape(id)}`)?.focus();
    };
    const box = make("div", { class: row.params.has(param.name) ? "param set" : "param" }, make("label", { for: id }, param.name));
    box.append(...control(param, value, id, put), make("small", {}, param.help));
    return box;
  }
}

/** Returns the elements by which a parameter is set. */
function control({ name, control: { is, words = [], takes, least }, default: usual }, value, id, put) {
  const written = expression(value);
  if (is === "choice") {
    const known = written !== null || words.includes(value);
    const options = words.map((word) => make("option", { selected: word === value, value: word }, word));
    if (!known) options.push(make("option", { selected: true, value }, value));
    if (takes) options.push(make("option", { selected: written !== null, value: "expr" }, "expression …"));
    const choose = make(
      "select",
      { id, onchange: ({ target }) => put(target.value === "expr" ? "expr(procs * estimate)" : target.value) },
      options,
    );
    return written === null ? [choose] : [choose, area(name, written, put)];
  }
  const isNumber = is === "count" || is === "number";
  const list = words.length ? `${id}-words` : null;
  const input = make("input", {
    id,
    value,
    list,
    placeholder: usual,
    spellcheck: "false",
    autocomplete: "off",
    inputmode: isNumber && !words.length && !takes ? "decimal" : null,
    title: isNumber && least !== undefined ? `at least ${least}` : null,
    onchange: ({ target }) => put(target.value.trim()),
  });
  return list ? [input, make("datalist", { id: list }, words.map((word) => make("option", { value: word })))] : [input];
}

function area(name, written, put) {
  return make(
    "textarea",
    {
      rows: 2,
      spellcheck: "false",
      "aria-label": `Expression of ${name}`,
      onchange: ({ target }) => put(`expr(${target.value.trim().replace(/\s+/g, " ")})`),
    },
    written,
  );
}

/** A form of options, made from their rows: flags are boxes, all others texts. */
export class Options {
  constructor(box, known, changed) {
    this.values = new Map();
    this.setters = new Map();
    const row = (option) => {
      const id = `option-${option.name}`;
      const put = (value) => {
        if (value === null || value === "") this.values.delete(option.name);
        else this.values.set(option.name, option.is_list ? value.split(/;\s*/) : [value]);
        field.classList.toggle("set", this.values.has(option.name));
      };
      const change = (value) => (put(value), changed());
      const input = option.is_flag
        ? make("input", { id, type: "checkbox", onchange: ({ target }) => change(target.checked ? "true" : null) })
        : make("input", {
            id,
            placeholder: option.default ?? option.value,
            spellcheck: "false",
            autocomplete: "off",
            onchange: ({ target }) => change(target.value.trim()),
          });
      this.setters.set(option.name, (text) => {
        if (option.is_flag) input.checked = text === "true";
        else input.value = text;
        put(text);
      });
      const field = make(
        "div",
        { class: "param" },
        make("label", { for: id }, option.name.replaceAll("_", "-")),
        input,
        make("small", {}, option.help + (option.is_list ? " (several: separated by ;)" : "")),
      );
      return field;
    };
    box.replaceChildren(...known.map(row));
  }

  /** Sets options by name, as [`texts`] has them; unknown ones are left out. */
  set(pairs) {
    for (const [name, text] of pairs) this.setters.get(name)?.(text);
  }

  /** Returns the options that are set, each with the text of its field. */
  texts() {
    return [...this.values].map(([name, values]) => [name, values.join("; ")]);
  }

  /** Returns the options that are set, as the engine takes them. */
  list() {
    return [...this.values];
  }
}
