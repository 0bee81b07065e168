// SPDX-License-Identifier: Apache-2.0
// Entering a move cell by cell: which moves go with what was chosen so far, and what can be chosen next.
//
// A move asks for cells in the order of its steps: what leaves its cell, then where it goes. The cells of a shape come in any order.

function groups(steps) {
  const out = [];
  for (const step of steps) {
    if (step.from) out.push(new Set([step.from]));
    if (step.to.length > 0) out.push(new Set(step.to));
  }
  return out;
}

// What is left to choose of a move after these cells: sets of cells; null if the move does not go with them.
function left(steps, chosen) {
  const out = groups(steps).map((group) => new Set(group));
  let at = 0;
  for (const cell of chosen) {
    while (at < out.length && out[at].size === 0) ++at;
    if (at === out.length || !out[at].delete(cell)) return null;
  }
  return out.filter((group) => group.size > 0);
}

// moves: with `steps`. Which of them go with the chosen cells, which are complete, and by cell those that go on there.
export function candidates(moves, chosen) {
  const fitting = [];
  const complete = [];
  const next = new Map();
  moves.forEach((move) => {
    if (move.steps.length === 0) return;
    const rest = left(move.steps, chosen);
    if (!rest) return;
    fitting.push(move);
    if (rest.length === 0) {
      complete.push(move);
      return;
    }
    for (const cell of rest[0]) {
      if (!next.has(cell)) next.set(cell, []);
      next.get(cell).push(move);
    }
  });
  return {fitting, complete, next};
}
