// SPDX-License-Identifier: Apache-2.0
// Where play can be forced to go round: the smallest trap, as a graph to walk in.
import {get} from './api.js';
import {BoardView} from './board.js';
import {html, made} from './dom.js';
import {state, gameOf, go} from './state.js';
import {count, flagsOf, sentence} from './words.js';

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
    this.graph = html('div', {}, this.study.graph ? made(this.study.graph) : 'The trap is too large to be drawn as a graph.');
    this.nodes = this.graph.querySelectorAll('[data-node]');
    this.element.replaceChildren(this.status, facts,
      html('p', {}, `${trap.smallest_proven ? 'The smallest trap has' : 'A trap, perhaps not the smallest, has'} ${count(trap.size)} positions${trap.like_it > 1 ? `; there are ${count(trap.like_it)} like it` : ''}. Walk in it: every other move loses.`),
      html('div', {class: 'walk'}, html('section', {'aria-label': 'Position of the trap'}, this.board.element), html('section', {'aria-label': 'Ways on'}, this.choices, this.graph)));
    await this.show(signal);
  }

  async show(signal) {
    const {trap} = this.study;
    const position = trap.positions[this.at];
    const drawn = await get('position', {...gameOf(), position, values: 'off'}, {signal});
    this.board.show({cells: drawn.drawn.cells, crowds: drawn.drawn.crowds});
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
    this.nodes.forEach((node) => node.classList.toggle('here', Number(node.dataset.node) === this.at));
  }
}
