// SPDX-License-Identifier: Apache-2.0
// Two sets of options side by side: the same position under both, and what changed between them.
import {get} from './api.js';
import {BoardView, arrowsOf} from './board.js';
import {html} from './dom.js';
import {state, gameOf, go, played, settingsList} from './state.js';
import {count, sentence, valueText} from './words.js';
import {optionControl} from './options.js';

const OUTCOMES = ['first', 'tie', 'cycle', 'second'];

export class CompareView {
  constructor(variant) {
    this.variant = variant;
    this.controls = html('div', {class: 'controls'});
    this.status = html('p', {class: 'verdict', role: 'status', 'aria-live': 'polite'}, 'Choose another value for an option.');
    this.boards = html('div', {class: 'two'});
    this.results = html('div', {});
    this.element = html('div', {class: 'compare'},
      html('p', {}, 'A is the game as it is set under “Options”. B is the same with these options:'), this.controls, this.status, this.boards, this.results);
  }

  // The options of B that are not as A has them.
  get other() {
    return JSON.parse(state.more.with ?? '{}');
  }

  // Who has just changed an option asks what that did: B is the game before it.
  beginWithLastChange() {
    if (this.begun) return;
    this.begun = true;
    const {before} = state;
    if (state.more.with || before?.variant !== state.variant) return;
    const other = {};
    for (const option of this.variant.choices) {
      const value = before.settings[option.name] ?? String(option.default);
      if (option.name !== 'board' && value !== String(option.value)) other[option.name] = value;
    }
    if (Object.keys(other).length === 0) return;
    state.more.with = JSON.stringify(other);
    go({}, {replace: true, quiet: true});
  }

  async update(signal) {
    this.beginWithLastChange();
    const other = this.other;
    this.controls.replaceChildren(...this.variant.choices.filter((option) => option.name !== 'board').map((option) =>
      optionControl(option, other[option.name] ?? String(option.value), `b-${option.name}`, (value) => {
        const next = {...this.other, [option.name]: value};
        if (value === String(option.value)) delete next[option.name];
        state.more.with = JSON.stringify(next);
        go({});
      })));
    if (Object.keys(other).length === 0) {
      this.boards.replaceChildren();
      this.results.replaceChildren();
      this.status.textContent = 'Choose another value for an option.';
      return;
    }
    const settings = {...state.settings, ...other};
    this.status.textContent = 'Comparing …';
    await this.showBoards(settings, signal);
    const found = await get('compare', {...gameOf(), with: settingsList(settings), show: 24}, {signal});
    this.showResults(found);
    await this.drawChanged(found.nearest ?? [], signal);
  }

  async showBoards(settings, signal) {
    // The same position: what the moves lead to under A.
    const here = await get('position', {...gameOf(), position: state.root, moves: played(), values: 'off'}, {signal});
    const answers = [];
    for (const own of [state.settings, settings]) {
      try {
        answers.push(await get('position', {...gameOf(own), position: here.position}, {signal}));
      } catch (error) {
        if (!error.status) throw error;
        answers.push({problem: error.message});
      }
    }
    const keeping = answers.map((answer) => new Set((answer.moves ?? []).filter((move) => move.keeps).map((move) => move.move)));
    this.boards.replaceChildren(...answers.map((answer, k) => {
      const name = 'AB'[k];
      if (answer.problem) return html('section', {'aria-label': name}, html('h2', {}, name), html('p', {}, sentence(answer.problem)));
      const board = new BoardView(this.variant, `Board under ${name}`);
      const differs = answer.moves.map((move, i) => [move, answer.drawn.moves[i]]).filter(([move]) => move.keeps && !keeping[1 - k].has(move.move));
      board.show({cells: answer.drawn.cells, crowds: answer.drawn.crowds, arrows: differs.slice(0, 8).map(([, drawn]) => arrowsOf(drawn, '', 'differs'))});
      return html('section', {'aria-label': `${name}: ${k === 0 ? 'as it is' : 'with other options'}`}, html('h2', {}, name), board.element,
        html('p', {}, html('strong', {}, sentence(answer.drawn.says))),
        html('p', {}, 'Moves that keep the value: ', answer.moves.length === 0 ? 'the game has ended' : [...keeping[k]].map((move) =>
          html('button', {type: 'button', class: `move${keeping[1 - k].has(move) ? '' : ' differs'}`, onclick: () => go({line: [...state.line.slice(0, state.at), move], at: state.at + 1})}, move))),
        html('p', {}, html('button', {type: 'button', onclick: () => go({view: 'position', settings: [state.settings, settings][k], root: here.position, line: [], at: 0, more: {}})}, `Play it under ${name}`)));
    }), html('p', {class: 'about'}, 'Dashed: moves that keep the value on this side alone.'));
  }

  showResults(found) {
    const {positions, changed, changed_winner: winners, outcomes, nearest} = found;
    this.status.textContent = changed === 0
      ? `None of ${count(positions.common)} positions changes value.`
      : `${count(changed)} of ${count(positions.common)} positions change value, ${count(winners)} of them the winner.`;
    const table = html('table', {class: 'matrix'}, html('caption', {}, 'Positions by outcome under A (rows) and B (columns)'),
      html('thead', {}, html('tr', {}, html('td', {}), OUTCOMES.map((o) => html('th', {scope: 'col'}, `B: ${o}`)))),
      html('tbody', {}, OUTCOMES.map((a) => html('tr', {}, html('th', {scope: 'row'}, `A: ${a}`), OUTCOMES.map((b) =>
        html('td', {class: a === b ? 'same' : outcomes[a][b] > 0 ? 'differs' : ''}, count(outcomes[a][b])))))));
    const list = (nearest ?? []).map((one) => html('li', {}, html('button', {
      type: 'button', class: 'move', onclick: () => { go({root: one.position, line: [], at: 0}); this.status.scrollIntoView(); },
    }, html('span', {class: 'small-board'}), html('b', {}, one.position), html('span', {class: 'value'}, `A: ${valueText(one.a)}; B: ${valueText(one.b)}`))));
    const heading = list.length < changed ? `The changed positions nearest the start: ${list.length} of ${count(changed)}` : 'The changed positions';
    this.results.replaceChildren(table, list.length > 0 ? html('h2', {}, heading) : '', html('ul', {class: 'changed-list'}, list));
  }

  async drawChanged(nearest, signal) {
    const places = this.results.querySelectorAll('.small-board');
    for (let k = 0; k < nearest.length && k < places.length; ++k) {
      const {drawn} = await get('position', {...gameOf(), position: nearest[k].position, values: 'off'}, {signal});
      const board = new BoardView(this.variant, `Position ${nearest[k].position}`);
      board.show({cells: drawn.cells, crowds: drawn.crowds});
      board.element.setAttribute('aria-hidden', 'true');  // the text beside it says the same
      places[k].replaceChildren(board.element);
    }
  }
}
