// Small helpers for elements.

/** Makes an element with attributes (handlers begin with "on") and children. */
export function make(tag, attributes = {}, ...children) {
  const [name, space] = tag.startsWith("svg:") ? [tag.slice(4), "http://www.w3.org/2000/svg"] : [tag, null];
  const element = space ? document.createElementNS(space, name) : document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) {
    if (value === null || value === undefined || value === false) continue;
    if (key.startsWith("on")) element.addEventListener(key.slice(2), value);
    else element.setAttribute(key, value === true ? "" : value);
  }
  element.append(...children.flat().filter((child) => child !== null && child !== undefined));
  return element;
}

export const by = (id) => document.getElementById(id);

export function fill(element, ...children) {
  element.replaceChildren(...children.flat());
}

const grouping = new Intl.NumberFormat("en", { useGrouping: true, maximumFractionDigits: 0 });

/** Returns a whole number with its thousands apart. */
export const whole = (number) => grouping.format(number);

/** Returns a number with about four significant digits. */
export function short(value) {
  const size = Math.abs(value);
  if (size >= 1000) return whole(value);
  return size === 0 ? "0" : value.toFixed(size >= 100 ? 1 : size >= 1 ? 2 : 4);
}

/** Returns a length of time in its two largest units. */
export function span(seconds) {
  if (!Number.isFinite(seconds)) return "never";
  const all = [[86400, "d"], [3600, "h"], [60, "min"], [1, "s"]];
  let left = Math.round(Math.abs(seconds));
  const words = [];
  for (const [size, unit] of all) {
    const count = Math.floor(left / size);
    left -= count * size;
    if (count || (size === 1 && !words.length)) words.push(`${count} ${unit}`);
    else if (words.length) break;
    if (words.length === 2) break;
  }
  return (seconds < 0 ? "−" : "") + words.join(" ");
}

/** Saves a text or bytes as a file. */
export function save(name, content, type) {
  const address = URL.createObjectURL(new Blob([content], { type }));
  make("a", { href: address, download: name }).click();
  setTimeout(() => URL.revokeObjectURL(address), 10_000);
}
