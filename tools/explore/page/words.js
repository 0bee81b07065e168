// SPDX-License-Identifier: Apache-2.0
// Values as people read them: words and letters. Pictures have the same letters (tools/html/board_svg.h).

export const RESULTS = {
  wins: {letter: 'W', title: 'Win'},
  cycle: {letter: 'C', title: 'Go round for ever'},
  tie: {letter: 'T', title: 'Tie'},
  loses: {letter: 'L', title: 'Lose'},
};
export const ORDER = ['wins', 'cycle', 'tie', 'loses'];

export function number(text) {
  return typeof text === 'string' && text.includes('/') ? text.split('/').reduce((a, b) => a / b) : Number(text);
}

// What a value is to the player who moves.
export function resultFor(value, mover) {
  if (value.outcome === 'tie' || value.outcome === 'cycle') return value.outcome;
  return value.outcome === mover ? 'wins' : 'loses';
}

export function sentence(text) {
  return text ? `${text[0].toUpperCase()}${text.slice(1)}.` : '';
}

export function marginText(margin) {
  const value = number(margin);
  return Number.isInteger(value) ? String(value) : typeof margin === 'string' ? margin : value.toFixed(1);
}

// "first by 3", "tie".
export function valueText({outcome, margin}) {
  return outcome === 'tie' || outcome === 'cycle' ? outcome : `${outcome} by ${marginText(String(margin).replace('-', ''))}`;
}

// "+3 in 5", seen from the player who moves; "in 5" where a win is a win (`says` names no margin then).
export function shortValue(value, mover) {
  const units = number(value.margin) * (mover === 'first' ? 1 : -1);
  const by = units === 0 || (value.says && !value.says.includes(' by ')) ? '' : `${units > 0 ? '+' : '−'}${marginText(Math.abs(units))}`;
  const plies = value.plies === null || value.plies === undefined ? '' : `${value.plies}`;
  return [by, plies && (units !== 0 ? `in ${plies}` : '')].filter(Boolean).join(' ');
}

// What a position's text says besides the board and the player to move.
export function flagsOf(position) {
  return position.split(' ').slice(2).filter((one) => one !== '-').join(', ');
}

export function count(n) {
  return n === null || n === undefined ? 'not known' : Number(n).toLocaleString('en');
}
export function percent(share) {
  return share === null || share === undefined ? 'not known' : `${(100 * share).toFixed(share > 0 && share < 0.01 ? 2 : 1)} %`;
}

// The better for the mover, the greater; of equal ones quicker wins and slower losses first.
export function compareMoves(mover) {
  const sign = mover === 'first' ? 1 : -1;
  return (a, b) => {
    const byResult = ORDER.indexOf(resultFor(a, mover)) - ORDER.indexOf(resultFor(b, mover));
    if (byResult !== 0) return byResult;
    const byMargin = sign * (number(b.margin) - number(a.margin));
    if (byMargin !== 0) return byMargin;
    const plies = (a.plies ?? 0) - (b.plies ?? 0);
    return resultFor(a, mover) === 'loses' ? -plies : plies;
  };
}
