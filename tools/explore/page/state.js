// SPDX-License-Identifier: Apache-2.0
// What is looked at: a game, a board, options, a position, a view. All of it stands in the address, so that a link holds it and the
// browser's back button takes moves back.

export const state = {
  view: 'position',
  variant: '',
  board: '',
  settings: {},  // those that are not as the description has them
  root: '',      // the position that the line begins with; empty: the start
  line: [],      // moves from there, further ones too that were taken back
  at: 0,         // so many of them are played
  more: {},      // of a view
  opponent: {side: 'nobody', slips: 0},  // whom the program plays, and how much a move may lose that it picks
  before: null,  // the settings before an option was changed last: {variant, settings}; not in the address
};

const listeners = [];
export function onChange(listener) {
  listeners.push(listener);
}

export function settingsList(settings = state.settings) {
  return Object.entries(settings).map(([name, value]) => `${name}=${value}`);
}
// The parameters that name the game.
export function gameOf(settings = state.settings) {
  return {variant: state.variant, board: state.board, set: settingsList(settings)};
}
export function played() {
  return state.line.slice(0, state.at).join(' ');
}

function address() {
  const out = new URLSearchParams();
  out.set('view', state.view);
  out.set('variant', state.variant);
  if (state.board) out.set('board', state.board);
  for (const setting of settingsList()) out.append('set', setting);
  if (state.root) out.set('position', state.root);
  if (state.at > 0) out.set('moves', played());
  const {side, slips} = state.opponent;
  if (side !== 'nobody') out.set('opponent', slips === 0 ? side : `${side},${slips}`);
  for (const [name, value] of Object.entries(state.more)) out.set(`${state.view}.${name}`, value);
  return `#${out}`;
}

export function read() {
  const given = new URLSearchParams(location.hash.slice(1));
  const settings = {};
  for (const setting of given.getAll('set')) {
    const equals = setting.indexOf('=');
    settings[setting.slice(0, equals)] = setting.slice(equals + 1);
  }
  const moves = (given.get('moves') ?? '').split(' ').filter(Boolean);
  const root = given.get('position') ?? '';
  const sameLine = root === state.root && given.get('variant') === state.variant && (given.get('board') ?? '') === state.board
    && moves.every((move, k) => state.line[k] === move);
  state.view = given.get('view') ?? 'position';
  state.variant = given.get('variant') ?? state.variant;
  state.board = given.get('board') ?? '';
  state.settings = settings;
  state.root = root;
  if (!sameLine) state.line = moves;
  state.at = moves.length;
  const [side, slips] = (given.get('opponent') ?? 'nobody').split(',');
  state.opponent = {side, slips: Number(slips) || 0};
  state.more = {};
  for (const [name, value] of given) {
    if (name.startsWith(`${state.view}.`)) state.more[name.slice(state.view.length + 1)] = value;
  }
}

// Changes what is looked at. `replace`: the back button does not come back here; `quiet`: it is shown already.
export function go(change, {replace = false, quiet = false} = {}) {
  Object.assign(state, change);
  if (replace) history.replaceState(null, '', address());
  else history.pushState(null, '', address());
  if (!quiet) for (const listener of listeners) listener();
}
export function link() {
  return address();
}
addEventListener('popstate', () => {
  read();
  for (const listener of listeners) listener();
});
addEventListener('hashchange', () => {
  if (location.hash === address()) return;
  read();
  history.replaceState(null, '', address());
  for (const listener of listeners) listener();
});

export function play(move) {
  go({line: [...state.line.slice(0, state.at), move], at: state.at + 1});
}
export function redo() {
  if (state.at < state.line.length) go({at: state.at + 1});
}
