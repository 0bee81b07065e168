// SPDX-License-Identifier: Apache-2.0
// The board with the values of all moves: play, take back, edit, play against the program.
import {get, Cancelled} from './api.js';
import {BoardView, arrowsOf, knows, learnCrowds, manPicture} from './board.js';
import {candidates} from './moves.js';
import {html, made} from './dom.js';
import {state, gameOf, go, link, play, played, redo} from './state.js';
import {ORDER, RESULTS, compareMoves, flagsOf, marginText, number, resultFor, sentence, shortValue} from './words.js';
import {editor} from './edit.js';

const LINE_SHOWN = 6;  // moves of the best line, as arrows

export class PositionView {
  constructor(variant, {large, solve}) {
    this.variant = variant;
    this.large = large;  // what it takes, where it is too much to be begun without being asked
    this.solve = solve;
    this.chosen = [];
    this.arrows = [];
    this.values = new Map();  // by the moves played: mover and value along the line
    this.view = new BoardView(variant, `Board of ${variant.variant}, ${variant.board.name}`, (cell) => this.choose(cell));
    this.verdict = html('p', {class: 'verdict', role: 'status', 'aria-live': 'polite'}, 'Looking …');
    this.more = html('p', {class: 'more'});
    this.moves = html('div', {class: 'moves'});
    this.key = this.makeKey();
    this.pick = html('div', {class: 'pick', role: 'group', 'aria-label': 'Which one?'});
    this.line = html('ol', {class: 'line', 'aria-label': 'Moves played'});
    this.plot = html('div', {class: 'plot'});
    this.bestLine = html('p', {class: 'best-line'});
    this.edit = html('div', {class: 'edit', hidden: true});
    this.buttons = this.makeButtons();
    this.element = html('div', {class: 'position'},
      html('section', {class: 'table', 'aria-label': 'Board'}, this.view.element, this.pick, this.buttons, this.edit),
      html('section', {class: 'side', 'aria-label': 'Value and moves'}, this.verdict, this.more, this.moves, this.key, this.bestLine, html('h2', {}, 'Line'), this.line, this.plot));
  }

  makeButtons() {
    this.undoButton = html('button', {type: 'button', onclick: () => this.undo(), title: 'Undo (←)'}, '← Undo');
    this.redoButton = html('button', {type: 'button', onclick: redo, title: 'Redo (→)'}, 'Redo →');
    const change = () => go({opponent: {side: this.side.value, slips: Number(this.strength.value)}}, {replace: true});
    this.side = html('select', {id: 'opponent', onchange: change},
      html('option', {value: 'nobody'}, 'nobody'), html('option', {value: 'first'}, 'first'), html('option', {value: 'second'}, 'second'));
    this.strength = html('select', {id: 'strength', onchange: change},
      html('option', {value: '0'}, 'perfectly'), html('option', {value: '0.5'}, 'well'), html('option', {value: '1.5'}, 'middling'), html('option', {value: '5'}, 'badly'));
    return html('div', {class: 'buttons'},
      this.undoButton, this.redoButton,
      html('button', {type: 'button', onclick: () => go({root: '', line: [], at: 0})}, 'Start'),
      html('button', {type: 'button', id: 'best', onclick: () => this.playBest(), title: 'Play a best move (b)'}, 'Best move'),
      html('button', {type: 'button', id: 'show-line', 'aria-pressed': 'false', onclick: () => this.toggleLine(), title: 'Show the best line (l)'}, 'Best line'),
      html('button', {type: 'button', id: 'edit', onclick: () => this.startEdit()}, 'Edit'),
      html('span', {class: 'opponent'}, html('label', {}, 'The program plays ', this.side), html('label', {}, ', ', this.strength)));
  }

  makeKey() {
    return html('details', {class: 'key-to-marks', hidden: true}, html('summary', {}, 'What the marks mean'),
      html('ul', {},
        ...ORDER.map((result) => html('li', {class: result}, html('span', {class: 'badge'}, RESULTS[result].letter), ` the player to move will ${RESULTS[result].title.toLowerCase()} after this move, if both play well`)),
        html('li', {}, '“+3 in 5”: by 3, in 5 plies more after the move. A ply is one turn of one player.'),
        html('li', {}, 'A heavy border: the move keeps the value. A cell shows the best move that begins or ends there.'),
        html('li', {}, '“a1” puts on a1; “a1-b2” goes from a1 to b2; a star behind a cell: something is taken there.')));
  }

  // Against the program, back to one's own turn.
  undo() {
    const {side} = state.opponent;
    const two = side !== 'nobody' && state.at >= 2 && this.plain && side !== this.mover;
    if (state.at > 0) go({at: state.at - (two ? 2 : 1)});
  }

  // Shows the position of the state. `signal` gives up what was begun for the one before.
  async update(signal) {
    this.chosen = [];
    this.arrows = [];
    this.lineShown = false;
    this.plain = this.answer = null;  // what is shown is not what is asked for any more
    this.moves.replaceChildren();
    this.bestLine.replaceChildren();
    this.more.replaceChildren();
    this.verdict.textContent = 'Looking …';
    this.element.querySelector('#show-line').setAttribute('aria-pressed', 'false');
    this.side.value = state.opponent.side;
    this.strength.value = String(state.opponent.slips);
    this.undoButton.disabled = state.at === 0;
    this.redoButton.disabled = state.at >= state.line.length;
    const asked = {...gameOf(), position: state.root, moves: played()};
    const plain = await get('position', {...asked, values: 'off'}, {signal});
    if (signal.aborted) throw new Cancelled();
    this.plain = plain;
    this.render();
    if (this.large && !this.solve.allowed) {
      this.verdict.textContent = `Not solved: ${this.large.text}`;
      this.more.replaceChildren(this.solve.ways());
      return;
    }
    this.verdict.textContent = 'Solving …';
    this.more.replaceChildren();
    const answer = await get('position', asked, {signal});
    if (signal.aborted) throw new Cancelled();
    this.answer = answer;
    this.remember(played(), this.answer);
    this.render();
    this.reply();
    await this.completeLine(signal);
    await this.plotLine(signal);
  }

  remember(moves, answer) {
    this.values.set(`${state.root}|${moves}`, {mover: answer.drawn.mover, value: answer.value});
  }
  valueAt(k) { return this.values.get(`${state.root}|${state.line.slice(0, k).join(' ')}`); }

  // The values along a line that was not played here, but opened.
  async completeLine(signal) {
    for (let k = 0; k < state.at; ++k) {
      if (this.valueAt(k)) continue;
      const moves = state.line.slice(0, k).join(' ');
      const answer = await get('position', {...gameOf(), position: state.root, moves}, {signal});
      if (signal.aborted) throw new Cancelled();
      this.remember(moves, answer);
      this.renderLine();
    }
  }

  get drawn() { return (this.answer ?? this.plain).drawn; }
  get mover() { return this.drawn.mover; }
  // The moves with what is drawn of them.
  get all() {
    const {drawn, moves} = this.answer ?? this.plain;
    return moves.map((move, k) => ({...move, ...drawn.moves[k]}));
  }

  render() {
    this.key.hidden = !this.answer;
    if (this.answer) {
      const {value, reachable} = this.answer;
      const ended = value.plies === 0 && this.answer.moves.length === 0;
      this.verdict.textContent = sentence(this.drawn.says);
      this.verdict.className = `verdict ${value.outcome}`;
      const flags = flagsOf(this.answer.position);
      this.more.replaceChildren(
        ...(ended ? [] : [manPicture(this.variant, {owner: this.mover}) ?? '', ` ${this.mover === 'first' ? 'First' : 'Second'} is to move. `]),
        flags ? `Besides what is on the board: ${flags}. ` : '',
        reachable === false ? 'This position is not reachable from the start.' : '');
      this.showPie();
      this.bestLine.replaceChildren(...(this.answer.line.length === 0 ? [] : [html('strong', {}, 'Best line: '), ...this.answer.line.slice(0, 16).flatMap((move) => [html('span', {class: 'ply'}, move), ' ']), this.answer.line.length > 16 ? ' …' : this.answer.line_repeats ? ' (and round again)' : '']));
    }
    this.renderBoard();
    this.renderMoves();
    this.renderLine();
  }

  // At the start, what the game is worth if second may choose the side after the opening.
  async showPie() {
    if (state.root || state.at > 0 || !this.variant.has_start || this.large) return;
    const shown = this.answer;
    const {pie} = await get('statistics', gameOf()).catch(() => ({}));
    if (!pie || this.answer !== shown) return;
    const margin = number(pie.margin);
    const words = margin === 0 ? 'nobody is ahead' : `${margin > 0 ? 'first' : 'second'} wins by ${marginText(Math.abs(margin))}`;
    this.more.append(`This is without the pie; with it ${words}.`);
  }

  renderBoard(preview) {
    if (!this.plain) return;  // another position was asked for
    const all = this.all;
    const {fitting, complete, next} = candidates(all, this.chosen);
    const marks = {};
    const compare = this.answer ? compareMoves(this.mover) : () => 0;
    for (const [cell, moves] of next) {
      const best = [...moves].sort(compare)[0];
      marks[cell] = this.answer
        ? {result: resultFor(best, this.mover), text: shortValue(best, this.mover), keeps: moves.some((m) => m.keeps), title: `${moves.length === 1 ? best.move : `${moves.length} moves, the best ${best.move}`}: ${best.says}`}
        : {title: moves.map((m) => m.move).join(', ')};
    }
    const {cells, crowds} = this.drawn;
    this.view.show({
      cells: preview ? this.variant.board.cells.map((cell, k) => preview.changed[cell.name] ?? cells[k]) : cells,
      crowds,
      marks: preview ? {} : marks,
      chosen: this.chosen,
      changed: preview ? Object.keys(preview.changed) : [],
      last: preview ? [] : (state.line[state.at - 1] ?? '').split(/[^A-Za-z0-9]+/),
      arrows: preview ? [arrowsOf(preview, '', 'preview')] : this.arrows,
    });
    this.pick.replaceChildren();
    if (this.chosen.length > 0 && complete.length > 0 && (complete.length > 1 || fitting.length > complete.length)) {
      this.pick.append(...[...complete].sort(compare).map((move) => this.moveButton(move, {what: true})));
    }
    if (this.chosen.length > 0) {
      this.pick.append(html('button', {type: 'button', class: 'quiet', onclick: () => { this.chosen = []; this.renderBoard(); }}, 'Take back (Esc)'));
    }
  }

  choose(cell) {
    if (!this.plain) return undefined;
    if (!this.edit.hidden) return this.editing.put(cell);
    const before = this.chosen;
    this.chosen = [...before, cell];
    let found = candidates(this.all, this.chosen);
    if (found.fitting.length === 0) {  // perhaps it begins another move
      this.chosen = before.length > 0 ? [cell] : [];
      found = candidates(this.all, this.chosen);
      if (found.fitting.length === 0) this.chosen = [];
    }
    if (this.chosen.length > 0 && found.complete.length === 1 && found.fitting.length === 1) return this.playMove(found.complete[0]);
    this.renderBoard();
    this.pick.querySelector('button')?.focus();
  }

  playMove(move) {
    this.chosen = [];
    play(move.move);
  }

  playBest() {
    if (!this.answer || this.answer.moves.length === 0) return;
    play(this.answer.line[0] ?? [...this.all].sort(compareMoves(this.mover))[0].move);
  }

  // The program's move, where it is its turn.
  reply() {
    const {side, slips} = state.opponent;
    if (!this.answer || this.answer.moves.length === 0 || side !== this.mover || state.at < state.line.length) return;
    const moves = [...this.all].sort(compareMoves(this.mover));
    const sign = this.mover === 'first' ? 1 : -1;
    const best = sign * number(moves[0].margin);
    // What loses more is played less often, the less so the worse it plays.
    const weights = moves.map((move) => slips === 0 ? 0 : Math.exp((sign * number(move.margin) - best) / slips));
    let at = Math.random() * weights.reduce((a, b) => a + b, 0);
    let move = slips === 0 ? moves.find((m) => m.move === this.answer.line[0]) ?? moves[0] : moves[0];
    for (let k = 0; slips > 0 && k < moves.length; ++k) {
      at -= weights[k];
      if (at <= 0) { move = moves[k]; break; }
    }
    const here = link();
    setTimeout(() => { if (link() === here) play(move.move); }, 250);
  }

  renderMoves() {
    const all = this.all;
    if (!this.answer) {
      this.moves.replaceChildren(...(all.length > 0 ? [html('h2', {}, `${all.length} moves`), html('ul', {}, all.map((move) => this.moveItem(move)))] : []));
      return;
    }
    const sorted = [...all].sort(compareMoves(this.mover));
    const parts = [];
    for (const result of ORDER) {
      const group = sorted.filter((move) => resultFor(move, this.mover) === result);
      if (group.length === 0) continue;
      const {letter, title} = RESULTS[result];
      parts.push(html('h2', {class: result}, html('span', {class: 'badge', 'aria-hidden': 'true'}, letter), ` ${title}: ${group.length} ${group.length === 1 ? 'move' : 'moves'}`));
      parts.push(html('ul', {class: result}, group.map((move) => this.moveItem(move))));
    }
    this.moves.replaceChildren(...parts);
  }

  moveItem(move) {
    return html('li', {}, this.moveButton(move));
  }

  // `what`: which one of those on the same cells is asked.
  moveButton(move, {what = false} = {}) {
    const value = this.answer ? shortValue(move, this.mover) : '';
    const letter = what ? this.variant.kinds.map((kind) => kind.letter).find((one) => move.move.startsWith(`${one}@`)) : null;
    const preview = () => { if (this.chosen.length === 0 && move.steps?.length > 0) this.renderBoard(move); };
    const leave = () => { if (this.chosen.length === 0) this.renderBoard(); };
    return html('button', {
      type: 'button', class: `move${move.keeps ? ' keeps' : ''}`, 'data-move': move.move,
      'aria-label': this.answer ? `${move.move}: ${move.says}${move.keeps ? ', keeps the value' : ''}` : move.move,
      // Not where the list moves under the pointer.
      onclick: () => this.playMove(move), onmousemove: (event) => { if (event.movementX || event.movementY) preview(); }, onmouseleave: leave, onfocus: preview, onblur: leave,
    }, letter ? manPicture(this.variant, {letter}) : null, html('b', {}, move.move), value ? html('span', {class: 'value'}, value) : this.answer ? html('span', {class: 'value'}, resultFor(move, this.mover)) : null);
  }

  renderLine() {
    this.line.replaceChildren(...state.line.map((move, k) => html('li', {},
      html('button', {type: 'button', class: 'quiet', 'aria-current': k + 1 === state.at ? 'step' : false, onclick: () => go({at: k + 1})}, move), this.gaveAway(k) ? html('abbr', {title: 'There was a better move.'}, '?') : null)));
  }

  // The value along the line.
  async plotLine(signal) {
    const known = [0, ...state.line.map((_, k) => k + 1)].map((k) => this.valueAt(k));
    const line = {caption: 'First’s margin after each ply', values: known.map((one) => (one ? number(one.value.margin) : null)), here: state.at};
    const figure = state.line.length > 0 ? (await get('figure', {}, {method: 'POST', body: JSON.stringify({line}), signal})).html : '';
    if (!signal.aborted) this.plot.replaceChildren(made(figure));
  }

  // Whether the move at `k` was worse than the best, where both values are known.
  gaveAway(k) {
    const [before, after] = [this.valueAt(k), this.valueAt(k + 1)];
    if (!before || !after) return false;
    const {mover} = before;
    const loss = (mover === 'first' ? 1 : -1) * (number(before.value.margin) - number(after.value.margin));
    return loss > 0 || ORDER.indexOf(resultFor(after.value, mover)) > ORDER.indexOf(resultFor(before.value, mover));
  }

  async toggleLine() {
    const button = this.element.querySelector('#show-line');
    this.lineShown = !this.lineShown;
    button.setAttribute('aria-pressed', String(this.lineShown));
    const arrows = [];
    if (this.lineShown && this.answer) {
      const before = played();
      let answer = this.answer;
      const moves = this.answer.line.slice(0, LINE_SHOWN);
      for (let k = 0; k < moves.length; ++k) {
        const at = answer.moves.findIndex((move) => move.move === moves[k]);
        if (at < 0) break;
        arrows.push(arrowsOf(answer.drawn.moves[at], String(k + 1), answer.drawn.mover));
        if (k + 1 < moves.length) answer = await get('position', {...gameOf(), position: state.root, moves: [before, ...moves.slice(0, k + 1)].join(' ').trim(), values: 'off'});
        if (played() !== before) return;
      }
    }
    this.arrows = arrows;
    if (this.plain) this.renderBoard();
  }

  // The position that is shown, as it is written.
  get position() {
    return (this.answer ?? this.plain)?.position;
  }

  startEdit() {
    if (!this.plain) return;
    this.editing = editor(this.variant, (this.answer ?? this.plain).position, this.drawn, {
      show: (cells) => this.showEdited(cells),
      ask: (position) => { this.edit.hidden = true; go({root: position, line: [], at: 0}); },
      close: () => { this.edit.hidden = true; this.render(); },
    });
    this.edit.hidden = false;
    this.edit.replaceChildren(this.editing.element);
    this.editing.begin();
  }

  // Men that stand together here alone are drawn when they are asked for.
  async showEdited(cells) {
    for (const letters of cells.filter((one) => !knows(this.variant, one))) {
      const {on_cell: markup} = await get('men', {...gameOf(), letters});
      learnCrowds(this.variant, {[letters]: markup});
    }
    if (!this.edit.hidden) this.view.show({cells});
  }

  onKey(event) {
    const keys = {
      ArrowLeft: () => this.undo(), ArrowRight: redo, Home: () => go({at: 0}), End: () => go({at: state.line.length}),
      g: () => this.view.element.querySelector('[data-cell][tabindex="0"]')?.focus(), b: () => this.playBest(), l: () => this.toggleLine(),
      Escape: () => { this.chosen = []; if (this.plain) this.renderBoard(); },
    };
    if (!keys[event.key]) return false;
    keys[event.key]();
    return true;
  }
}
