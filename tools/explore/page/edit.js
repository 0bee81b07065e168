// SPDX-License-Identifier: Apache-2.0
// Putting anything anywhere. A position is written as rows from the last to the first, runs of empty cells as numbers, several men on a
// cell in parentheses; what follows (who is to move, the flags) stays as it is until it is changed.
import {html} from './dom.js';

function rowsText(variant, cells) {
  return [...variant.board.rows].reverse().map((row) => {
    let out = '';
    let empty = 0;
    for (const index of row) {
      const men = cells[index];
      if (!men) { ++empty; continue; }
      if (empty > 0) out += empty;
      empty = 0;
      out += [...men].length > 1 ? `(${men})` : men;
    }
    return out + (empty > 0 ? empty : '');
  }).join('/');
}

const MOVERS = {1: '2', 2: '1', w: 'b', b: 'w'};

export function editor(variant, position, drawn, {show, ask, close}) {
  const cells = [...drawn.cells];
  let [, ...rest] = position.split(' ');
  let chosen = variant.kinds[0]?.letter ?? '';
  const text = html('input', {id: 'edit-text', value: position, size: 30, spellcheck: 'false', 'aria-label': 'The position as it is written'});
  const write = () => { text.value = [rowsText(variant, cells), ...rest].join(' '); show(cells); };
  const palette = html('div', {class: 'palette', role: 'radiogroup', 'aria-label': 'What to put'},
    [...variant.kinds, {letter: '', name: 'nothing', owner: null}].map((kind, k) => html('label', {},
      html('input', {type: 'radio', name: 'kind', value: kind.letter, checked: k === 0, onchange: () => { chosen = kind.letter; }}),
      ` ${kind.letter || '∅'} ${kind.name}${kind.owner ? ` of ${kind.owner}` : ''}`)));
  const element = html('form', {onsubmit: (event) => { event.preventDefault(); ask(text.value); }},
    html('p', {}, 'Choose what to put, then cells of the board. A man is added to others where the game has crowds.'),
    palette,
    html('p', {}, html('label', {}, 'Position ', text)),
    html('button', {type: 'button', onclick: () => { rest = [MOVERS[rest[0]] ?? rest[0], ...rest.slice(1)]; write(); }}, 'The other player to move'),
    html('button', {type: 'button', onclick: () => { cells.fill(''); write(); }}, 'Empty board'),
    html('button', {type: 'submit'}, 'Show its value'),
    html('button', {type: 'button', onclick: close}, 'Leave'));
  return {
    element,
    begin: write,
    put(name) {
      const index = variant.board.cells.findIndex((cell) => cell.name === name);
      const crowds = variant.crowds && chosen && cells[index] && cells[index] !== chosen;
      cells[index] = cells[index] === chosen ? '' : crowds ? cells[index] + chosen : chosen;
      write();
    },
  };
}
