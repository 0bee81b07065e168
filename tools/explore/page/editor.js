// SPDX-License-Identifier: Apache-2.0
// A description as a text: what is wrong with it is said while it is typed, and what is typed can be solved.
import {get, ApiError, Cancelled} from './api.js';
import {html} from './dom.js';
import {state, go, gameOf} from './state.js';
import {sentence} from './words.js';

const PAUSE = 300;  // milliseconds after the last key

export class EditorView {
  constructor() {
    this.text = html('textarea', {id: 'description', rows: 28, spellcheck: 'false', wrap: 'off', 'aria-label': 'Description', 'aria-describedby': 'editor-status'});
    this.gutter = html('pre', {class: 'gutter', 'aria-hidden': 'true'});
    this.status = html('p', {id: 'editor-status', role: 'status', 'aria-live': 'polite'});
    this.problems = html('div', {class: 'problems'});
    this.open = html('button', {type: 'button', id: 'open-draft', disabled: true, onclick: () => this.play()}, 'Play it');
    this.test = html('button', {type: 'button', onclick: () => this.check(true)}, 'Run its tests');
    this.download = html('button', {type: 'button', id: 'download', onclick: () => this.offer()}, 'Download');
    this.save = html('button', {type: 'button', hidden: true, onclick: () => this.saveFile()}, 'Save');
    this.element = html('div', {class: 'editor'},
      html('p', {}, 'Change the description. Nothing is written to disk', html('span', {id: 'saving'}, '.'), ' ', html('a', {href: 'language.md', target: '_blank'}, 'The reference of the language'), '.'),
      html('p', {}, this.open, ' ', this.test, ' ', this.save, ' ', this.download), this.status, this.problems, html('div', {class: 'text'}, this.gutter, this.text));
    this.text.addEventListener('input', () => { this.open.disabled = true; clearTimeout(this.timer); this.number(); this.timer = setTimeout(() => this.check(false), PAUSE); });
    this.text.addEventListener('scroll', () => { this.gutter.scrollTop = this.text.scrollTop; });
    this.text.addEventListener('keydown', (event) => event.stopPropagation());
  }

  async update(signal) {
    if (this.of === state.variant) return;
    const {text, saves} = await get('text', {variant: state.variant}, {signal});
    this.of = state.variant;
    this.text.value = text;
    this.save.hidden = !saves;
    this.element.querySelector('#saving').textContent = saves ? ` but by the button, to ${saves}.` : '; plenum explore --save FILE says where it may be.';
    this.number();
    await this.check(false);
  }

  number(wrong = new Set()) {
    const lines = this.text.value.split('\n').length;
    this.gutter.replaceChildren(...Array.from({length: lines}, (_, k) => html('span', {class: wrong.has(k + 1) ? 'wrong' : ''}, `${k + 1}\n`)));
    this.gutter.scrollTop = this.text.scrollTop;
  }

  async check(tests) {
    const text = this.text.value;
    let found;
    try {
      found = await get('check', {tests: tests ? 'on' : undefined}, {method: 'POST', body: text});
    } catch (error) {
      if (!(error instanceof ApiError || error instanceof Cancelled)) throw error;
      this.status.textContent = sentence(error.message || 'cancelled');
      return;
    }
    if (text !== this.text.value) return;
    this.draft = found.draft;
    const [checked] = found.checked;
    this.open.disabled = !checked.ok && !tests;
    this.number(new Set(checked.places.filter(Boolean).map((place) => place.line)));
    this.status.textContent = checked.ok
      ? tests ? `${checked.compiled} settings compiled, ${checked.passed} of ${checked.tests} tests passed.` : 'Nothing is wrong.'
      : tests && checked.passed < checked.tests ? `It can be played, but ${checked.tests - checked.passed} of its ${checked.tests} tests ${checked.tests - checked.passed === 1 ? 'does' : 'do'} not hold any more.`
        : `${checked.errors.length} ${checked.errors.length === 1 ? 'thing is' : 'things are'} wrong.`;
    this.problems.replaceChildren(
      ...checked.errors.map((error, k) => html('pre', {class: 'error', tabindex: '0', onclick: () => this.goTo(checked.places[k])}, error)),
      ...checked.notes.map((note) => html('pre', {class: 'note', tabindex: '0'}, note)));
  }

  // On the same board and with the same options, where the typed game has them too.
  async play() {
    const [draft, now] = [await get('variant', {variant: this.draft}), await get('variant', gameOf())];
    const names = (variant) => variant.choices.map((option) => option.name).join();
    const fits = ([name, value]) => (draft.choices.find((option) => option.name === name).values ?? [value]).includes(value);
    const same = names(draft) === names(now)
      ? {board: state.board, settings: Object.fromEntries(Object.entries(state.settings).filter(fits))} : {board: '', settings: {}};
    go({view: 'position', variant: this.draft, ...same, root: '', line: [], at: 0, more: {}});
  }

  offer() {
    const address = URL.createObjectURL(new Blob([this.text.value], {type: 'text/plain'}));
    html('a', {href: address, download: 'game.toml'}).click();
    URL.revokeObjectURL(address);
  }

  goTo(place) {
    if (!place) return;
    const lines = this.text.value.split('\n');
    const at = lines.slice(0, place.line - 1).reduce((sum, line) => sum + line.length + 1, 0) + place.column - 1;
    this.text.focus();
    this.text.setSelectionRange(at, at + 1);
  }

  async saveFile() {
    try {
      const {saved} = await get('save', {}, {method: 'POST', body: this.text.value});
      this.status.textContent = `Saved to ${saved}.`;
    } catch (error) {
      this.status.textContent = sentence(error.message);
    }
  }
}
