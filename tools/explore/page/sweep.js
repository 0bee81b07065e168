// SPDX-License-Identifier: Apache-2.0
// A heat map over two options, or an option and boards: each game is solved, and a click opens it.
import {get, Cancelled} from './api.js';
import {html, made} from './dom.js';
import {state, gameOf, go} from './state.js';
import {marginText, number, percent} from './words.js';

const MEASURES = {
  margin: {title: 'First’s margin at best play', of: (game) => (game.value ? number(game.value.margin) : null), format: (n, game) => (game.value.outcome === 'cycle' ? 'cycle' : marginText(n))},
  plies: {title: 'Plies to the end at best play', of: (game) => game.value?.plies ?? null, format: (n) => String(n)},
  level: {title: 'Share of level positions', of: (game) => game.draw_rate?.positions ?? null, format: percent},
  random: {title: 'Share of level games at random play', of: (game) => game.draw_rate?.random_play ?? null, format: percent},
  cycles: {title: 'Share of positions that are cycles', of: (game) => (game.positions?.reachable ? game.positions.cycle / game.positions.reachable : null), format: percent},
  openings: {title: 'Share of openings that win for first', of: (game) => (game.openings?.length ? game.openings.filter((o) => o.outcome === 'first').length / game.openings.length : null), format: percent},
};

export class SweepView {
  constructor(variant) {
    this.variant = variant;
    this.known = new Map();
    const names = variant.choices.map((option) => option.name);
    this.across = this.selector('across', names, state.more.across ?? names.find((name) => name !== 'board') ?? 'board');
    this.down = this.selector('down', names, state.more.down ?? 'board');
    this.measure = html('select', {id: 'sweep-measure', onchange: () => this.draw()}, Object.entries(MEASURES).map(([key, one]) => html('option', {value: key}, one.title)));
    this.fields = html('div', {class: 'controls'});
    this.map = html('div', {class: 'scroll', onclick: (event) => this.open(event.target.closest('[data-opens]'))});
    this.asked = 0;  // maps
    this.status = html('p', {role: 'status', 'aria-live': 'polite'});
    this.element = html('div', {class: 'sweep'},
      html('form', {onsubmit: (event) => { event.preventDefault(); this.begin(); }},
        html('label', {}, 'Across ', this.across), html('label', {}, ' Down ', this.down), this.fields,
        html('button', {type: 'submit', id: 'sweep-begin'}, 'Solve all'), html('label', {}, ' Show ', this.measure)),
      this.status, this.map);
    this.fill();
  }

  selector(id, names, value) {
    const out = html('select', {id: `sweep-${id}`, onchange: () => this.fill()}, names.map((name) => html('option', {value: name}, name)));
    out.value = value;
    return out;
  }

  // The values of each axis as a text that can be changed.
  fill() {
    const usual = (name) => {
      const option = this.variant.choices.find((one) => one.name === name);
      if (name !== 'board') return (option.values ?? [String(option.value)]).slice(0, 8).join(' ');
      return `${this.variant.board.name}`;
    };
    this.values = [this.across, this.down].map((axis) => html('input', {'aria-label': `Values of ${axis.value}`, value: usual(axis.value), size: 30, id: `${axis.id}-values`}));
    const hint = [this.across.value, this.down.value].includes('board') ? ' Boards are written as path:5, square:3x3, hexhex:2.' : '';
    this.fields.replaceChildren(html('label', {}, `Values of ${this.across.value} `, this.values[0]), html('label', {}, ` of ${this.down.value} `, this.values[1]),
      html('p', {class: 'about'}, `Values stand with spaces or commas between them.${hint}`));
  }

  async update(signal) {
    this.signal = signal;
  }

  game(axes, i, j) {
    const settings = {...this.base.settings};
    let {board} = this.base;
    [[axes[0], i], [axes[1], j]].forEach(([axis, k]) => {
      if (axis.name === 'board') board = axis.values[k];
      else settings[axis.name] = axis.values[k];
    });
    return {settings, board};
  }

  async begin() {
    const axes = [this.across, this.down].map((axis, k) => ({name: axis.value, values: this.values[k].value.split(/[\s,]+/).filter(Boolean)}));
    if (axes[0].name === axes[1].name) {
      this.status.textContent = 'Choose two different options.';
      return;
    }
    const found = axes[0].values.map(() => axes[1].values.map(() => ({pending: true})));
    const {signal} = this;
    [this.axes, this.found] = [axes, found];  // another sweep has its own
    this.base = {settings: state.settings, board: state.board};
    const all = axes[0].values.length * axes[1].values.length;
    let done = 0;
    this.draw();
    for (let j = 0; j < axes[1].values.length; ++j) {
      for (let i = 0; i < axes[0].values.length; ++i) {
        const {settings, board} = this.game(axes, i, j);
        try {
          found[i][j] = {game: await get('statistics', {...gameOf(settings), board}, {signal})};
        } catch (error) {
          if (error instanceof Cancelled && signal.aborted) return;
          found[i][j] = {problem: error.message || 'cancelled'};
        }
        if (this.found !== found) return;
        this.status.textContent = `${++done} of ${all} games`;
        await this.draw();
      }
    }
  }

  async draw() {
    if (!this.found) return;
    const {axes} = this;
    const measure = MEASURES[this.measure.value];
    const cell = (i, j) => {
      const one = this.found[i][j];
      return one.game ? {game: one.game, number: measure.of(one.game)} : one;
    };
    const text = (one) => (one.pending ? '…' : one.problem ? 'not solved' : one.number === null ? 'not known' : measure.format(one.number, one.game));
    const heat = {
      caption: measure.title, corner: `${axes[1].name} ↓, ${axes[0].name} →`, columns: axes[0].values.map((v) => `${axes[0].name} ${v}`), rows: axes[1].values.map((v) => `${axes[1].name} ${v}`),
      cells: axes[1].values.map((_, j) => axes[0].values.map((__, i) => {
        const one = cell(i, j);
        return {text: text(one), number: one.number, why: one.problem, opens: one.game && `${i} ${j}`};
      })),
    };
    const number = ++this.asked;
    try {
      const figure = await get('figure', {}, {method: 'POST', body: JSON.stringify({heat})});
      if (number === this.asked) this.map.replaceChildren(made(figure.html));
    } catch (error) {
      this.status.textContent = error.message;
    }
  }

  // The game of a cell.
  open(button) {
    if (!button) return;
    const [i, j] = button.dataset.opens.split(' ').map(Number);
    go({view: 'position', ...this.game(this.axes, i, j), root: '', line: [], at: 0});
  }
}
