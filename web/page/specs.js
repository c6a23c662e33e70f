// Specs of policies as text: name:key=value,key=value. Parentheses protect commas.

/** Splits a text at a separator outside of parentheses. */
function split(text, separator) {
  const parts = [""];
  let depth = 0;
  for (const letter of text) {
    if (letter === "(") depth++;
    if (letter === ")") depth--;
    if (letter === separator && depth <= 0) parts.push("");
    else parts[parts.length - 1] += letter;
  }
  return parts;
}

/** Returns the name and the parameters of a spec. */
export function parse(spec) {
  const at = spec.indexOf(":");
  const name = (at < 0 ? spec : spec.slice(0, at)).trim();
  const params = new Map();
  if (at >= 0) {
    for (const part of split(spec.slice(at + 1), ",")) {
      const equals = part.indexOf("=");
      if (part.trim()) params.set((equals < 0 ? part : part.slice(0, equals)).trim(), equals < 0 ? "" : part.slice(equals + 1).trim());
    }
  }
  return { name, params };
}

/** Returns the spec of a name and parameters. */
export function format({ name, params }) {
  const list = [...params].map(([key, value]) => `${key}=${value}`);
  return list.length ? `${name}:${list.join(",")}` : name;
}

/** Returns the text of an expression, or null. */
export function expression(value) {
  return /^expr\(.*\)$/s.test(value) ? value.slice(5, -1) : null;
}
