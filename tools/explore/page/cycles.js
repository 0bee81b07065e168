// SPDX-License-Identifier: Apache-2.0
// Where play can be forced to go round: the smallest trap, as a graph to walk in.
import {get} from './api.js';
import {BoardView} from './board.js';
import {html, svg} from './dom.js';
import {state, gameOf, go} from './state.js';
import {count, flagsOf, sentence} from './words.js';

const MOST_NODES = 60;

export class CyclesView {
  constructor(variant) {
    this.variant = variant;
    this.element = html('div', {class: 'cycles'}, html('p', {role: 'status'}, 'Looking for cycles …'));
  }

  async update(signal) {
    if (!this.study) this.study = await get('cycles', gameOf(), {signal});
    const {says, cycle, forced_cycle: forced, trap, example} = this.study;
    this.status = html('p', {class: 'verdict', role: 'status', 'aria-live': 'polite'}, sentence(says));
    const facts = html('p', {}, `In ${count(cycle)} positions neither player can make the game end without losing by it, so that play goes round for ever; in ${count(forced)} of them not even both together can end it level (a forced cycle).`);
    if (!trap) {
      this.element.replaceChildren(this.status, facts,
        example ? html('p', {}, html('button', {type: 'button', onclick: () => go({view: 'position', root: example.position, line: [], at: 0})}, 'Show the nearest position that can come back')) : '');
      return;
    }
    this.at = Math.min(Number(state.more.at ?? 0), trap.positions.length - 1);
    this.numbers = new Map(trap.positions.map((position, k) => [position, k]));
    this.board = new BoardView(this.variant, 'A position of the trap');
    this.choices = html('ul', {class: 'choices'});
    this.graph = this.drawGraph(trap);
    this.element.replaceChildren(this.status, facts,
      html('p', {}, `${trap.smallest_proven ? 'The smallest trap has' : 'A trap, perhaps not the smallest, has'} ${count(trap.size)} positions${trap.like_it > 1 ? `; there are ${count(trap.like_it)} like it` : ''}. Walk in it: every other move loses.`),
      html('div', {class: 'walk'}, html('section', {'aria-label': 'Position of the trap'}, this.board.element), html('section', {'aria-label': 'Ways on'}, this.choices, this.graph)));
    await this.show(signal);
  }

  async show(signal) {
    const {trap} = this.study;
    const position = trap.positions[this.at];
    const drawn = await get('position', {...gameOf(), position, values: 'off'}, {signal});
    this.board.show({cells: drawn.drawn.cells});
    const moves = trap.moves[this.at];
    this.choices.replaceChildren(
      html('li', {class: 'where'}, `Position ${this.at + 1} of ${trap.positions.length}: ${drawn.drawn.mover} is to move${flagsOf(position) ? `; ${flagsOf(position)}` : ''}`),
      ...moves.map((move) => {
        const to = this.numbers.get(move.position);
        const stays = move.keeps && to !== undefined;
        return html('li', {}, html('button', {
          type: 'button', class: `move ${move.keeps ? 'keeps' : 'loses'}`, disabled: !stays, 'data-to': stays ? String(to) : null,
          onclick: () => { this.at = to; state.more.at = String(to); go({}, {replace: true}); },
        }, html('b', {}, move.move), html('span', {class: 'value'}, stays ? `keeps, to ${to + 1}` : move.keeps ? 'keeps' : 'loses')));
      }),
      html('li', {}, html('button', {type: 'button', class: 'quiet', onclick: () => go({view: 'position', root: position, line: [], at: 0, more: {}})}, 'Open this position')));
    this.nodes?.forEach((node, k) => node.classList.toggle('here', k === this.at));
  }

  drawGraph(trap) {
    const n = trap.positions.length;
    if (n > MOST_NODES) return html('p', {}, 'The trap is too large to be drawn as a graph.');
    const r = 92;
    const place = (k) => [110 + r * Math.sin((2 * Math.PI * k) / n), 110 - r * Math.cos((2 * Math.PI * k) / n)];
    const edges = [];
    trap.moves.forEach((moves, from) => moves.forEach((move) => {
      const to = this.numbers.get(move.position);
      if (!move.keeps || to === undefined || to === from) return;
      const [a, b] = [place(from), place(to)];
      const length = Math.hypot(b[0] - a[0], b[1] - a[1]);
      const cut = 11 / length;
      edges.push(svg('line', {x1: a[0] + cut * (b[0] - a[0]), y1: a[1] + cut * (b[1] - a[1]), x2: b[0] - cut * (b[0] - a[0]), y2: b[1] - cut * (b[1] - a[1]), class: 'edge', 'marker-end': 'url(#trap-head)'}));
    }));
    this.nodes = trap.positions.map((position, k) => svg('g', {class: 'node'}, svg('circle', {cx: place(k)[0], cy: place(k)[1], r: 9}), svg('text', {x: place(k)[0], y: place(k)[1], dy: '0.35em'}, String(k + 1))));
    return svg('svg', {viewBox: '0 0 220 220', class: 'trap', role: 'img', 'aria-label': `The trap as a graph of ${n} positions`},
      svg('defs', {}, svg('marker', {id: 'trap-head', viewBox: '0 0 10 10', refX: 8, refY: 5, markerWidth: 6, markerHeight: 6, orient: 'auto'}, svg('path', {d: 'M0 0 L10 5 L0 10 z'}))),
      edges, this.nodes);
  }
}
