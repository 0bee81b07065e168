// SPDX-License-Identifier: Apache-2.0
// The page: which game is looked at and in which view, options, progress, errors, keys.
import {get, cancelJob, onJob, Cancelled} from './api.js';
import {CompareView} from './compare.js';
import {CyclesView} from './cycles.js';
import {html, made, $} from './dom.js';
import {EditorView} from './editor.js';
import {optionControl} from './options.js';
import {PositionView} from './position.js';
import {SweepView} from './sweep.js';
import {StatisticsView} from './statistics.js';
import {state, read, go, onChange, gameOf, link} from './state.js';
import {sentence} from './words.js';

let editor = null;  // what is typed stays while other views are looked at
let sweep = null;
const VIEWS = [
  ['position', 'Play', (variant, more) => new PositionView(variant, more)],
  ['statistics', 'Statistics', () => new StatisticsView()],
  ['compare', 'Compare', (variant) => new CompareView(variant)],
  ['sweep', 'Sweep', (variant) => {
    if (sweep?.name !== state.variant) sweep = {name: state.variant, view: new SweepView(variant)};  // what was solved stays
    return sweep.view;
  }],
  ['cycles', 'Cycles', (variant) => new CyclesView(variant)],
  ['editor', 'Editor', () => { editor ??= new EditorView(); return editor; }],
];
const LARGE_SECONDS = 20;  // of processor time: more than that is not begun without being asked for
const LARGE_BYTES = 2e9;
const HOPELESS_SECONDS = 1e7;
const HOPELESS_BYTES = 1e13;

let shown = {};           // what is on the page: key, view, variant
let giveUp = new AbortController();
const solve = {allowed: false, ways: () => waysOn()};

function problem(text) {
  $('problem').hidden = !text;
  $('problem').replaceChildren(...(text ? [html('pre', {}, text.replace(/^--\w+: /, ''))] : []));  // an option of the command line
}

// What a game takes: {text, hopeless} if that is much, null if it is not.
async function whatItTakes(game, signal) {
  const info = await get('info', game, {signal});
  const found = (hopeless, text) => ({hopeless, text});
  if (['search', 'bits'].includes(info.choice?.method)) return found(true, 'all its positions do not fit the memory.');
  const estimate = info.methods.find((one) => one.method === info.choice?.method)?.estimate;
  if (!estimate || (estimate.cpu_seconds <= LARGE_SECONDS && estimate.bytes <= LARGE_BYTES)) return null;
  if (estimate.cpu_seconds > HOPELESS_SECONDS || estimate.bytes > HOPELESS_BYTES) return found(true, 'it is far too large.');
  const time = estimate.cpu_seconds > 7200 ? `${Math.round(estimate.cpu_seconds / 3600)} hours` : estimate.cpu_seconds > 120 ? `${Math.round(estimate.cpu_seconds / 60)} minutes` : `${Math.round(estimate.cpu_seconds)} seconds`;
  return found(false, `this takes ${estimate.at_most ? 'up to' : estimate.at_least ? 'more than' : 'about'} ${time} and ${(estimate.bytes / 1e9).toFixed(1)} GB.`);
}

// The largest board below this one, of the same shape, that is solved at once; null if there is none.
async function smallerBoard(signal) {
  if (shown.variant.pieces) return null;  // men stand where they stand
  const [shape, sizes] = shown.variant.board.name.split(':');
  let numbers = /^\d+(x\d+)?$/.test(sizes ?? '') ? sizes.split('x').map(Number) : [0];
  for (let k = 0; k < 8; ++k) {
    const most = Math.max(...numbers);
    const at = numbers.lastIndexOf(most);
    numbers = numbers.map((n, i) => (i === at ? n - 1 : n));
    if (numbers.some((n) => n < 2)) return null;
    const board = `${shape}:${numbers.join('x')}`;
    if (!(await whatItTakes({...gameOf(), board}, signal))) return board;
  }
  return null;
}

// What can be done with a game that is not solved without being asked for.
function waysOn() {
  const {variant, large} = shown;
  const {signal} = giveUp;
  const out = html('div', {class: 'ways'});
  if (!large.hopeless) out.append(html('button', {type: 'button', id: 'solve-anyway', onclick: () => { solve.allowed = true; show(); }}, 'Solve it all the same'));
  if (variant.choices.some((option) => option.name === 'material')) out.append(html('p', {}, 'An ending can be solved: name its men under “material”, as KRvK.'));
  smallerBoard(signal).then((board) => {
    if (board && !signal.aborted) out.append(html('button', {type: 'button', id: 'smaller-board', onclick: () => go({board, root: '', line: [], at: 0})}, `Look at it on ${board}`));
  }).catch(() => {});  // it does not fit this game
  return out;
}

// Whether the moves played lead to the same position under other rules. Each is looked for among those that are legal there.
async function leadsTo(position, settings) {
  const {signal} = giveUp;
  const {root, line, at} = state;
  for (let k = 0; k <= at; ++k) {
    const here = await get('position', {...gameOf(settings), position: root, moves: line.slice(0, k).join(' '), values: 'off'}, {signal});
    if (k === at) return here.position === position;
    if (!here.moves.some((move) => move.move === line[k])) return false;
  }
  return false;
}

function showGame(variant) {
  $('parts').replaceChildren(made(variant.board.parts));
  document.title = `${variant.variant} on ${variant.board.name} — Plenum`;
  $('variant').value = state.variant;
  if ($('variant').value !== state.variant) {  // a draft
    $('variant').append(html('option', {value: state.variant}, `${variant.variant} (typed)`));
    $('variant').value = state.variant;
  }
  if (document.activeElement !== $('board')) $('board').value = variant.board.name;  // not while it is typed
  const set = (name) => async (value) => {
    const settings = {...state.settings, [name]: value};
    const option = variant.choices.find((one) => one.name === name);
    if (value === String(option.default)) delete settings[name];
    const change = {settings, before: {variant: state.variant, settings: state.settings}};
    const here = state.at > 0 && state.view === 'position' && shown.variant === variant ? shown.view?.position : null;
    go(here && !(await leadsTo(here, settings).catch(() => false)) ? {...change, root: here, line: [], at: 0} : change);
  };
  const options = variant.choices.filter((option) => option.name !== 'board');
  $('options').replaceChildren(
    html('h2', {}, 'Rules'), html('p', {class: 'about'}, variant.about.trim().replace(/\s*\n\s*/g, ' ')),
    variant.author ? html('p', {class: 'author'}, variant.author) : '',
    options.length > 0 ? html('h2', {}, 'Options') : '',
    ...options.map((option) => optionControl(option, String(option.value), `option-${option.name}`, set(option.name))),
    Object.keys(state.settings).length > 0 ? html('button', {type: 'button', onclick: () => go({settings: {}, before: {variant: state.variant, settings: state.settings}})}, 'As the author has them') : '');
}

function showViews() {
  $('views').replaceChildren(...VIEWS.map(([name, title], k) => html('button', {
    type: 'button', id: `view-${name}`, 'aria-current': name === state.view ? 'page' : false, title: `${title} (${k + 1})`,
    onclick: () => go({view: name, more: {}}),
  }, title)));
}

async function show() {
  giveUp.abort();
  giveUp = new AbortController();
  const {signal} = giveUp;
  problem('');
  showViews();
  $('permalink').setAttribute('href', link());
  $('copied').textContent = '';
  try {
    const variant = await get('variant', gameOf(), {signal});
    const key = JSON.stringify([state.variant, state.board, state.settings, {...variant, at_hand: null}]);  // a file may have changed
    if (shown.key !== key) {
      const focus = document.activeElement?.id;
      solve.allowed = false;
      showGame(variant);
      if (focus) $(focus)?.focus();
      const large = variant.at_hand ? null : await whatItTakes(gameOf(), signal);
      shown = {key, variant, large};
    }
    if (!shown.variant.has_start && !state.root) {  // an ending is all of its positions
      state.root = shown.variant.start;
      history.replaceState(null, '', link());
    }
    const solves = !['position', 'editor', 'sweep'].includes(state.view);
    if (shown.large && !solve.allowed && solves) {
      shown.view = null;
      $('main-view').replaceChildren(html('p', {class: 'verdict', role: 'status'}, `Not solved: ${shown.large.text}`),
        waysOn());
      document.body.dataset.ready = link();
      return;
    }
    if (shown.name !== state.view || !shown.view) {
      const make = (VIEWS.find(([name]) => name === state.view) ?? VIEWS[0])[2];
      shown.view = make(shown.variant, {large: shown.large, solve});
      shown.name = state.view;
      $('main-view').replaceChildren(shown.view.element);
    }
    await shown.view.update(signal);
    if (signal.aborted) return;  // the program's reply is being shown
    document.body.dataset.ready = link();
  } catch (error) {
    if (error.status === undefined && !(error instanceof Cancelled)) throw error;
    if (signal.aborted) return;
    if (error instanceof Cancelled) return problem('Cancelled.');
    problem(error.message);
    document.body.dataset.ready = link();
  }
}

// The elements stay while the numbers change, so that a click on the button meets it.
const jobText = html('span', {});
const jobBar = html('progress', {'aria-label': 'Progress'});
let jobShown = null;
$('job').replaceChildren(jobText, jobBar, html('button', {type: 'button', id: 'cancel', onclick: () => jobShown && cancelJob(jobShown)}, 'Cancel'));
onJob((job) => {
  $('job').hidden = !job;
  jobShown = job?.job ?? null;
  if (!job) return;
  const p = job.progress;
  const left = p?.seconds_left === null || p?.seconds_left === undefined ? '' : `, ${Math.ceil(p.seconds_left)} s left`;
  jobText.textContent = p ? `${sentence(p.stage).slice(0, -1)}: ${p.done.toLocaleString('en')}${p.total ? ` of ${p.total.toLocaleString('en')}` : ''} ${p.things}${left}` : 'Waiting …';
  if (p?.total) jobBar.setAttribute('value', String(p.done / p.total));
  else jobBar.removeAttribute('value');
});

function onKey(event) {
  if (event.altKey || event.ctrlKey || event.metaKey) return;
  if (event.target.closest('input, select, textarea, dialog')) return;
  const view = VIEWS[Number(event.key) - 1];
  if (view) return go({view: view[0], more: {}});
  if (event.key === '?') return $('help').showModal();
  if (shown.view?.onKey?.(event)) event.preventDefault();
}

async function begin() {
  addEventListener('keydown', onKey);
  $('permalink').addEventListener('click', (event) => {
    event.preventDefault();
    navigator.clipboard?.writeText(location.href).then(() => { $('copied').textContent = 'It is in the clipboard.'; }, () => { $('copied').textContent = 'It stands in the address line.'; });
  });
  $('help-button').addEventListener('click', () => $('help').showModal());
  $('game-form').addEventListener('submit', (event) => {
    event.preventDefault();
    const variant = $('variant').value;
    const same = variant === state.variant;
    go({variant, board: same ? $('board').value : '', settings: same ? state.settings : {}, root: '', line: [], at: 0, more: {}});
  });
  $('variant').addEventListener('change', () => $('game-form').requestSubmit());
  onChange(show);
  try {
    const {variants, opened} = await get('variants', {});
    $('variant').replaceChildren(...variants.map((one) => html('option', {value: one.name}, one.title)));
    $('boards').replaceChildren(...['square:3x3', 'square:3x4', 'square:4x4', 'hexhex:2', 'hexhex:3', 'hexrect:3x3', 'path:9', 'cycle:8', 'torus:3x3', 'cylinder:3x3', 'king:3x3'].map((value) => html('option', {value})));
    if (location.hash.length > 1) {
      read();
      history.replaceState(null, '', link());
    } else {
      const settings = Object.fromEntries(opened.settings.map((setting) => [setting.slice(0, setting.indexOf('=')), setting.slice(setting.indexOf('=') + 1)]));
      Object.assign(state, {variant: opened.variant || variants[0].name, board: opened.board, settings});
      history.replaceState(null, '', link());
    }
  } catch (error) {
    problem(error.message);
    return;
  }
  await show();
}
begin();
