// SPDX-License-Identifier: Apache-2.0
// What the solve found out about the game as a whole, and how its positions are spread.
import {get, Cancelled} from './api.js';
import {html, made} from './dom.js';
import {gameOf, go} from './state.js';
import {count, marginText, percent, sentence, valueText} from './words.js';

function row(name, value) {
  return value === undefined || value === null ? null : html('tr', {}, html('th', {scope: 'row'}, name), html('td', {}, value));
}

export class StatisticsView {
  constructor() {
    this.element = html('div', {class: 'statistics'}, html('p', {role: 'status'}, 'Solving …'));
  }

  async update(signal) {
    const game = await get('statistics', gameOf(), {signal});
    const start = game.value ? await get('position', gameOf(), {signal}) : null;  // an ending has none
    const out = [html('p', {class: `verdict ${game.value?.outcome ?? ''}`, role: 'status'}, start ? sentence(`at best play: ${start.drawn.says}`) : '')];
    const p = game.positions ?? {};
    out.push(html('table', {class: 'facts'}, html('caption', {}, 'The game'), html('tbody', {},
      row('Solved by', `${game.method}: ${game.cost?.reason ?? ''}`),
      row('Reachable positions', p.reachable === undefined ? null : count(p.reachable)),
      row('First wins', p.first === undefined ? null : `${count(p.first)} positions`),
      row('Ties', p.tie === undefined ? null : `${count(p.tie)} positions`),
      row('Cycles', p.cycle === undefined ? null : `${count(p.cycle)} positions${p.forced_cycle ? `, ${count(p.forced_cycle)} of them forced` : ''}`),
      row('Second wins', p.second === undefined ? null : `${count(p.second)} positions`),
      row('Can positions come back?', game.cyclic === undefined || game.cyclic === null ? null : game.cyclic ? 'yes' : 'no'),
      row('With the pie', game.pie ? `${marginText(game.pie.margin)} for first, by ${game.pie.openings.join(', ')}` : null),
      row('Level positions', game.draw_rate ? percent(game.draw_rate.positions) : null),
      row('Level at random play', game.draw_rate ? percent(game.draw_rate.random_play) : null),
      row('Length at random play', game.random_play ? `${game.random_play.plies?.toFixed(1) ?? 'endless'} plies` : null),
      row('Moves in a position', game.moves ? `${game.moves.mean.toFixed(1)} on average, ${count(game.moves.max)} at most` : null))));
    if (game.openings?.length > 0) {
      out.push(html('h2', {}, 'Openings'), html('ul', {class: 'openings'}, game.openings.map((opening) => html('li', {},
        html('button', {type: 'button', class: `move ${opening.outcome}`, onclick: () => go({view: 'position', root: '', line: [opening.move], at: 1})}, html('b', {}, opening.move),
          html('span', {class: 'value'}, valueText(opening)))))));
    }
    this.element.replaceChildren(...out);
    await this.append('measures', 'What it is like to play', signal);
    await this.append('histograms', 'How the positions are spread', signal);
  }

  // What the program has made of it, or why it has not.
  async append(what, title, signal) {
    const section = html('section', {class: 'scroll', tabindex: '0', 'aria-label': title, 'data-part': what}, html('h2', {}, title));
    try {
      section.append(made((await get(what, gameOf(), {signal})).html));
    } catch (error) {
      if (error instanceof Cancelled || error.status === undefined) throw error;
      section.append(html('p', {}, sentence(error.message)));
    }
    if (!signal.aborted) this.element.append(section);
  }
}
