// SPDX-License-Identifier: Apache-2.0
// Elements of HTML and SVG.

const SVG = 'http://www.w3.org/2000/svg';

// `properties`: what is no text is a property of the element where it has one of that name, as `disabled`.
function fill(out, properties, attributes, children) {
  for (const [name, value] of Object.entries(attributes ?? {})) {
    if (value === undefined || value === null || value === false) continue;
    if (name.startsWith('on')) out.addEventListener(name.slice(2), value);
    else if (properties && name in out && typeof value !== 'string') out[name] = value;
    else out.setAttribute(name, value === true ? '' : value);
  }
  for (const child of children.flat(Infinity)) {
    if (child !== undefined && child !== null && child !== false) out.append(child);
  }
  return out;
}

export function html(tag, attributes, ...children) {
  return fill(document.createElement(tag), true, attributes, children);
}

export function svg(tag, attributes, ...children) {
  return fill(document.createElementNS(SVG, tag), false, attributes, children);
}

export function $(id) {
  return document.getElementById(id);
}
