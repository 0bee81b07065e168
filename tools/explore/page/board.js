// SPDX-License-Identifier: Apache-2.0
// A board with what stands on it, marks on cells, and arrows. Cells that can be chosen are buttons.
import {svg} from './dom.js';
import {RESULTS} from './words.js';

// What a kind is drawn in: as it is called, where that is a colour; the men of chess white and black; else by its owner.
const COLOURS = ['white', 'black', 'red', 'green', 'blue', 'yellow'];
const ARMIES = {first: 'white', second: 'black'};

const PIECES = {K: '♚', Q: '♛', R: '♜', B: '♝', N: '♞', P: '♟'};

function owners(variant) {
  const out = new Map();
  const kindsOf = {first: 0, second: 0, null: 0};
  for (const kind of variant.kinds) {
    ++kindsOf[kind.owner];
    out.set(kind.letter, {...kind});
  }
  for (const kind of out.values()) kind.alone = kindsOf[kind.owner] === 1;
  return out;
}

function stone(variant, kind, x, y, r) {
  const owner = kind?.owner ?? 'nobody';
  const letter = kind?.letter ?? '?';
  const tone = COLOURS.includes(kind?.name) ? kind.name : (variant.pieces && ARMIES[owner]) || owner;
  const body = owner === 'nobody'
    ? svg('rect', {x: x - 0.8 * r, y: y - 0.8 * r, width: 1.6 * r, height: 1.6 * r, rx: 0.2 * r, class: `man ${tone}`})
    : svg('circle', {cx: x, cy: y, r, class: `man ${tone}`});
  const glyph = variant.pieces ? PIECES[letter.toUpperCase()] ?? letter.toUpperCase() : letter;
  const text = kind?.alone && owner !== 'nobody' ? null
    : svg('text', {x, y, 'font-size': 1.25 * r, class: `letter ${tone}`, dy: '0.36em'}, glyph);
  return svg('g', {class: 'stone'}, body, text);
}

// A man of a player, or one of a kind by its letter, as a picture among words.
export function manPicture(variant, {owner, letter}) {
  const kinds = [...owners(variant).values()];
  const kind = kinds.find((one) => (letter ? one.letter === letter : one.owner === owner));
  return kind ? svg('svg', {viewBox: '-1.1 -1.1 2.2 2.2', class: 'man-picture', 'aria-hidden': 'true'}, stone(variant, letter ? kind : {...kind, alone: true}, 0, 0, 1)) : null;
}

const MARKS = {
  circle: (x, y, r, c) => svg('circle', {cx: x, cy: y, r, class: c}),
  square: (x, y, r, c) => svg('rect', {x: x - r, y: y - r, width: 2 * r, height: 2 * r, class: c}),
  diamond: (x, y, r, c) => svg('polygon', {points: `${x},${y - 1.25 * r} ${x + 1.25 * r},${y} ${x},${y + 1.25 * r} ${x - 1.25 * r},${y}`, class: c}),
  triangle: (x, y, r, c) => svg('polygon', {points: `${x},${y + 1.05 * r} ${x + 1.2 * r},${y - 0.95 * r} ${x - 1.2 * r},${y - 0.95 * r}`, class: c}),
};

let boards = 0;

export class BoardView {
  // `choose(name)` is called for a cell that was chosen; without it the board is a picture.
  constructor(variant, label, choose) {
    this.variant = variant;
    this.board = variant.board;
    this.choose = choose;
    this.kinds = owners(variant);
    this.byName = new Map(this.board.cells.map((cell, index) => [cell.name, {...cell, index}]));
    const points = this.board.cells.flatMap((cell) => cell.outline);
    const [xs, ys] = [points.map((p) => p[0]), points.map((p) => p[1])];
    const margin = 0.12;
    const left = Math.min(...xs) - margin;
    const top = Math.min(...ys) - margin;
    const width = Math.max(...xs) - left + margin;
    const height = Math.max(...ys) - top + margin;
    this.arrowhead = `arrowhead-${++boards}`;
    this.ground = svg('g');
    this.stones = svg('g', {'aria-hidden': 'true'});
    this.marks = svg('g', {'aria-hidden': 'true'});
    this.arrows = svg('g', {'aria-hidden': 'true'});
    this.element = svg('svg', {
      class: `board ${this.board.look}`,
      viewBox: `${left} ${top} ${width} ${height}`,
      role: choose ? 'group' : 'img',
      'aria-label': label,
    },
    svg('defs', {}, svg('marker', {id: this.arrowhead, viewBox: '0 0 10 10', refX: 7, refY: 5, markerWidth: 3.2, markerHeight: 3.2, orient: 'auto-start-reverse'},
      svg('path', {d: 'M0 0 L10 5 L0 10 z', class: 'head'}))),
    this.ground, this.stones, this.marks, this.arrows);
    this.drawGround();
  }

  drawGround() {
    if (this.board.look === 'points') {
      for (const cell of this.board.cells) {
        for (const other of cell.adjacent) {
          if (other < cell.name) continue;
          const to = this.byName.get(other).at;
          this.ground.append(svg('line', {x1: cell.at[0], y1: cell.at[1], x2: to[0], y2: to[1], class: 'join'}));
        }
      }
    }
    this.cells = new Map();
    const bottom = Math.max(...this.board.cells.map((cell) => cell.at[1]));
    for (const cell of this.board.cells) {
      const dark = this.variant.pieces && Math.round(cell.at[0] + bottom - cell.at[1]) % 2 === 0;
      const polygon = svg('polygon', {points: cell.outline.map((p) => p.join(',')).join(' ')});
      const group = svg('g', {'data-cell': cell.name},
        polygon,
        svg('text', {x: cell.at[0], y: cell.at[1] - (this.board.look === 'points' ? 0.24 : this.board.on_corner ? 0.42 : 0.36), class: 'name', 'aria-hidden': 'true'}, cell.name));
      if (this.choose) {
        group.addEventListener('click', () => { this.byPointer = true; this.choose(cell.name); });
        group.addEventListener('keyup', (event) => { if (event.key === 'Tab') this.byPointer = false; });
        group.addEventListener('keydown', (event) => this.onKey(event, cell));
      }
      this.ground.append(group);
      this.cells.set(cell.name, {group, polygon, ground: dark ? 'cell dark' : 'cell'});
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
    for (const other of this.board.cells) {
      const [dx, dy] = [other.at[0] - cell.at[0], other.at[1] - cell.at[1]];
      const along = dx * to[0] + dy * to[1];
      const beside = Math.abs(dx * to[1]) + Math.abs(dy * to[0]);
      if (along < 0.2) continue;
      const far = along + 2.2 * beside;
      if (!best || far < best.far) best = {far, name: other.name};
    }
    if (best) {
      const {group} = this.cells.get(best.name);
      group.setAttribute('tabindex', '0');
      group.focus();
    }
  }

  // cells: what stands on each; marks: {a1: {result, text, title}}; chosen, changed, last: names; arrows: [{from, to, text, class}].
  show({cells, marks = {}, chosen = [], changed = [], last = [], arrows = []}) {
    this.stones.replaceChildren();
    cells.forEach((men, index) => this.stones.append(...this.men(men, this.board.cells[index])));
    this.marks.replaceChildren();
    const anyMark = Object.keys(marks).length > 0;
    this.board.cells.forEach((cell, index) => {
      const {group, polygon, ground} = this.cells.get(cell.name);
      const mark = marks[cell.name];
      polygon.setAttribute('class', [ground, mark ? 'can' : '', chosen.includes(cell.name) ? 'chosen' : '', changed.includes(cell.name) ? 'changed' : '', last.includes(cell.name) ? 'last' : ''].filter(Boolean).join(' '));
      if (mark) this.marks.append(this.mark(cell, mark, cells[index] !== ''));
      if (!this.choose) return;
      const standing = this.words(cells[index]);
      group.setAttribute('role', 'button');
      group.setAttribute('aria-label', `${cell.name}, ${standing}${mark?.title ? `; ${mark.title}` : ''}`);
      group.setAttribute('aria-disabled', mark || !anyMark ? 'false' : 'true');
      if (chosen.includes(cell.name)) group.setAttribute('aria-pressed', 'true');
      else group.removeAttribute('aria-pressed');
      group.setAttribute('tabindex', mark || (!anyMark && index === 0) ? '0' : '-1');
    });
    this.arrows.replaceChildren(...arrows.flatMap((arrow) => this.arrow(arrow)));
  }

  words(men) {
    if (!men) return 'empty';
    return [...men].map((letter) => {
      const kind = this.kinds.get(letter);
      return kind ? `${kind.name} of ${kind.owner ?? 'nobody'}` : letter;
    }).join(' and ');
  }

  men(men, cell) {
    const letters = [...men];
    const n = letters.length;
    if (n === 0) return [];
    const space = this.board.look === 'points' ? 0.31 : 0.33;
    if (n === 1) return [stone(this.variant, this.kinds.get(letters[0]) ?? {letter: letters[0]}, cell.at[0], cell.at[1], space)];
    const columns = Math.ceil(Math.sqrt(n));
    const rows = Math.ceil(n / columns);
    const r = (0.8 * space) / Math.max(columns, rows) + 0.03;
    return letters.map((letter, k) => {
      const x = cell.at[0] + (2 * (k % columns) - columns + 1) * r * 1.08;
      const y = cell.at[1] + (2 * Math.floor(k / columns) - rows + 1) * r * 1.08;
      return stone(this.variant, this.kinds.get(letter) ?? {letter}, x, y, r);
    });
  }

  mark(cell, {result, text, keeps}, filled) {
    const [x, y] = cell.at;
    const [mx, my, r] = filled ? [x + 0.24, y - 0.24, 0.15] : [x, y - 0.05, 0.25];
    const {shape, letter} = RESULTS[result];
    return svg('g', {class: `mark ${result}${keeps ? ' keeps' : ''}`},
      MARKS[shape](mx, my, r, 'sign'),
      svg('text', {x: mx, y: my, dy: '0.36em', 'font-size': 1.25 * r, class: 'sign-letter'}, letter),
      text && !filled ? svg('text', {x, y: y + 0.33, 'font-size': 0.15, class: 'value'}, text) : null);
  }

  arrow({from, to, text, kind = ''}) {
    const end = this.byName.get(to)?.at;
    if (!end) return [];
    const start = from ? this.byName.get(from).at : null;
    const out = [];
    if (start) {
      const length = Math.hypot(end[0] - start[0], end[1] - start[1]) || 1;
      const short = 0.16 / length;
      out.push(svg('line', {
        x1: start[0] + short * (end[0] - start[0]), y1: start[1] + short * (end[1] - start[1]),
        x2: end[0] - short * (end[0] - start[0]), y2: end[1] - short * (end[1] - start[1]),
        class: `arrow ${kind}`, 'marker-end': `url(#${this.arrowhead})`,
      }));
    } else {
      out.push(svg('circle', {cx: end[0], cy: end[1], r: 0.3, class: `arrow ring ${kind}`}));
    }
    if (text) out.push(svg('text', {x: end[0] + 0.33, y: end[1] - 0.26, 'font-size': 0.22, class: 'arrow-text'}, text));
    return out;
  }
}

// What of a move can be drawn: its steps as arrows.
export function arrowsOf(steps, text, kind) {
  return steps.flatMap((step) => step.to.map((to) => ({from: step.from, to, text, kind})));
}
