// SPDX-License-Identifier: Apache-2.0
// Options as controls.
import {html} from './dom.js';

// `set(value)` is called with what was chosen, as a text.
export function optionControl(option, value, id, set) {
  const values = option.values;
  let control;
  if (values && values.length <= 40) {
    control = html('select', {id, onchange: (event) => set(event.target.value)}, values.map((one) => html('option', {value: one}, one)));
    control.value = String(value);
  } else {
    control = html('input', {id, value: String(value), onchange: (event) => set(event.target.value)});
  }
  return html('div', {class: 'option', 'data-option': option.name},
    html('label', {for: id}, html('b', {}, option.name), option.left_open ? html('small', {title: 'The author left this open.'}, ' (left open)') : null),
    control, html('small', {class: 'about'}, option.about));
}
