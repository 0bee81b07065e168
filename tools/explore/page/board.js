// SPDX-License-Identifier: Apache-2.0
// A board that the program has drawn, with men, marks and arrows put where they belong. Cells that can be chosen are buttons.
import {made, madePart} from './dom.js';

const drawn = new WeakMap();  // by variant: what is put on its board

function partsOf(variant) {
  if (!drawn.has(variant)) {
    const marks = Object.entries(variant.board.marks).map(([worth, {open, filled}]) => [worth, {open: madePart(open), filled: madePart(filled)}]);
    drawn.set(variant, {
      men: new Map(variant.kinds.map((kind) => [kind.letter, madePart(kind.on_cell)])),
      marks: Object.fromEntries(marks), number: madePart(variant.board.arrow_number),
    });
  }
  return drawn.get(variant);
}

// What several men on a cell look like, by their letters.
export function learnCrowds(variant, crowds) {
  const {men} = partsOf(variant);
  for (const [letters, markup] of Object.entries(crowds)) {
    if (!men.has(letters)) men.set(letters, madePart(markup));
  }
}
export function knows(variant, letters) {
  return !letters || partsOf(variant).men.has(letters);
}

function placed(part, [x, y]) {
  const out = part.cloneNode(true);
  out.setAttribute('transform', `translate(${x} ${y})`);
  return out;
}

// A man of a player, or one of a kind by its letter, as a picture among words.
export function manPicture(variant, {owner, letter}) {
  const markup = letter ? variant.kinds.find((kind) => kind.letter === letter)?.picture : variant.players[owner];
  return markup ? made(markup) : null;
}

// What of a move can be drawn: its steps as arrows.
export function arrowsOf({steps, arrows}, text, kind) {
  return {markup: arrows, ends: steps.flatMap((step) => step.to), text, kind};
}

export class BoardView {
  // `choose(name)` is called for a cell that was chosen; without it the board is a picture.
  constructor(variant, label, choose) {
    this.variant = variant;
    this.choose = choose;
    this.parts = partsOf(variant);
    this.kinds = new Map(variant.kinds.map((kind) => [kind.letter, kind]));
    this.element = made(variant.board.svg).firstElementChild;
    this.element.setAttribute('role', choose ? 'group' : 'img');
    this.element.setAttribute('aria-label', label);
    [this.men, this.marks, this.arrows] = ['men', 'marks', 'arrows'].map((layer) => this.element.querySelector(`:scope > .${layer}`));
    const groups = new Map([...this.element.querySelectorAll('[data-cell]')].map((group) => [group.dataset.cell, group]));
    this.cells = variant.board.cells.map((cell) => ({...cell, group: groups.get(cell.name), ground: groups.get(cell.name).querySelector('.cell')}));
    this.byName = new Map(this.cells.map((cell) => [cell.name, cell]));
    if (choose) this.listen();
  }

  listen() {
    for (const cell of this.cells) {
      cell.group.addEventListener('click', () => { this.byPointer = true; this.choose(cell.name); });
      cell.group.addEventListener('keyup', (event) => { if (event.key === 'Tab') this.byPointer = false; });
      cell.group.addEventListener('keydown', (event) => this.onKey(event, cell));
    }
  }

  onKey(event, cell) {
    if (event.key === 'Enter' || event.key === ' ') {
      event.preventDefault();
      this.byPointer = false;
      this.choose(cell.name);
      return;
    }
    const to = {ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1]}[event.key];
    if (!to || this.byPointer) return;  // after a click the keys are the page's
    event.preventDefault();
    event.stopPropagation();
    let best = null;
    for (const other of this.cells) {
      const [dx, dy] = [other.at[0] - cell.at[0], other.at[1] - cell.at[1]];
      const along = dx * to[0] + dy * to[1];
      const beside = Math.abs(dx * to[1]) + Math.abs(dy * to[0]);
      if (along < 0.2) continue;
      const far = along + 2.2 * beside;
      if (!best || far < best.far) best = {far, group: other.group};
    }
    if (best) {
      best.group.setAttribute('tabindex', '0');
      best.group.focus();
    }
  }

  // cells: the letters of what stands on each; crowds: what several look like; marks: {a1: {result, text, keeps, title}}, without a
  // result nothing is drawn; chosen, changed, last: names; arrows: of arrowsOf.
  show({cells, crowds = {}, marks = {}, chosen = [], changed = [], last = [], arrows = []}) {
    learnCrowds(this.variant, crowds);
    const anyMark = Object.keys(marks).length > 0;
    this.men.replaceChildren();
    this.marks.replaceChildren();
    this.cells.forEach((cell, index) => {
      const mark = marks[cell.name];
      const men = this.parts.men.get(cells[index]);
      if (men) this.men.append(placed(men, cell.at));
      if (mark?.result) this.marks.append(this.mark(cell, mark, cells[index] !== ''));
      const classes = {can: mark, chosen: chosen.includes(cell.name), changed: changed.includes(cell.name), last: last.includes(cell.name)};
      for (const [name, on] of Object.entries(classes)) cell.ground.classList.toggle(name, Boolean(on));
      if (this.choose) this.describe(cell, index, {men: cells[index], mark, anyMark, chosen: classes.chosen});
    });
    this.arrows.replaceChildren(...arrows.map((arrow) => this.arrow(arrow)));
  }

  // A cell as a button.
  describe({name, group}, index, {men, mark, anyMark, chosen}) {
    group.setAttribute('role', 'button');
    group.setAttribute('aria-label', `${name}, ${this.words(men)}${mark?.title ? `; ${mark.title}` : ''}`);
    group.setAttribute('aria-disabled', mark || !anyMark ? 'false' : 'true');
    if (chosen) group.setAttribute('aria-pressed', 'true');
    else group.removeAttribute('aria-pressed');
    group.setAttribute('tabindex', mark || (!anyMark && index === 0) ? '0' : '-1');
  }

  words(men) {
    if (!men) return 'empty';
    return [...men].map((letter) => {
      const kind = this.kinds.get(letter);
      return kind ? `${kind.name} of ${kind.owner ?? 'nobody'}` : letter;
    }).join(' and ');
  }

  mark({at}, {result, text, keeps}, filled) {
    const out = placed(this.parts.marks[result][filled ? 'filled' : 'open'], at);
    out.firstElementChild.classList.toggle('keeps', Boolean(keeps));
    const value = out.querySelector('.value');
    if (value) value.textContent = text;
    return out;
  }

  arrow({markup, ends, text, kind}) {
    const out = madePart(markup);
    out.setAttribute('class', kind);
    for (const end of text ? ends : []) {
      const number = placed(this.parts.number, this.byName.get(end).at);
      number.firstElementChild.textContent = text;
      out.append(number);
    }
    return out;
  }
}
