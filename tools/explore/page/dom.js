// SPDX-License-Identifier: Apache-2.0
// Elements, and what the program has drawn.

// What is no text is a property of the element where it has one of that name, as `disabled`.
export function html(tag, attributes, ...children) {
  const out = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes ?? {})) {
    if (value === undefined || value === null || value === false) continue;
    if (name.startsWith('on')) out.addEventListener(name.slice(2), value);
    else if (name in out && typeof value !== 'string') out[name] = value;
    else out.setAttribute(name, value === true ? '' : value);
  }
  for (const child of children.flat(Infinity)) {
    if (child !== undefined && child !== null && child !== false) out.append(child);
  }
  return out;
}

// What the program has made: markup in which it has escaped all texts. No script in it would run: not from a template, and not by the
// page's policy.
export function made(markup) {
  const out = document.createElement('template');
  out.innerHTML = markup;
  return out.content;
}

// A part of a picture, in a group.
export function madePart(markup) {
  return made(`<svg><g>${markup}</g></svg>`).querySelector('g');
}

export function $(id) {
  return document.getElementById(id);
}
