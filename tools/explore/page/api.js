// SPDX-License-Identifier: Apache-2.0
// Questions to the program. What takes longer is a job: it is followed until it is over, and the question is asked again.

export class ApiError extends Error {
  constructor(message, status) {
    super(message);
    this.status = status;
  }
}
export class Cancelled extends Error {}

const listeners = new Set();
export function onJob(listener) {
  listeners.add(listener);
}
function tell(job) {
  for (const listener of listeners) listener(job);
}

export function query(parameters) {
  const out = new URLSearchParams();
  for (const [name, value] of Object.entries(parameters)) {
    if (Array.isArray(value)) value.forEach((one) => out.append(name, one));
    else if (value !== undefined && value !== null && value !== '') out.append(name, value);
  }
  return out.toString();
}

async function ask(path, options = {}) {
  let response, json;
  try {
    response = await fetch(`/api/v1/${path}`, options);
    json = await response.json();  // may be given up as well
  } catch (error) {
    if (error.name === 'AbortError') throw new Cancelled();
    throw new ApiError('the program does not answer; is it still running?', 0);
  }
  if (response.status >= 400) throw new ApiError(json.error, response.status);
  return [response.status, json];
}

const followers = new Map();  // by job: how many questions of this page wait for it
const left = new Map();       // by job that no question waits for any more: the timer that ends it
const GRACE = 500;            // milliseconds: whoever looks at another position of the same game waits for the same job again
const stoppedByHand = new Set();

function end(id) {
  return ask(`jobs/${id}`, {method: 'DELETE'});
}
export function cancelJob(id) {
  stoppedByHand.add(id);
  return end(id);
}
function join(id) {
  clearTimeout(left.get(id));
  left.delete(id);
  followers.set(id, (followers.get(id) ?? 0) + 1);
}
function leave(id, isOver) {
  const others = followers.get(id) - 1;
  if (others > 0) return followers.set(id, others);
  followers.delete(id);
  if (!isOver) left.set(id, setTimeout(() => { left.delete(id); end(id).catch(() => {}); }, GRACE));
}
// What nobody waits for any more, since the page goes, is not worked out.
addEventListener('pagehide', () => {
  for (const id of [...followers.keys(), ...left.keys()]) fetch(`/api/v1/jobs/${id}`, {method: 'DELETE', keepalive: true});
});

// Follows a job until it is over.
function follow(id, signal) {
  return new Promise((resolve, reject) => {
    const events = new EventSource(`/api/v1/jobs/${id}/events`);
    join(id);
    let following = true;
    const leaveWith = (how, what, isOver) => {
      if (!following) return;
      following = false;
      events.close();
      leave(id, isOver);
      tell(null);
      how(what);
    };
    signal?.addEventListener('abort', () => leaveWith(reject, new Cancelled(), false), {once: true});
    events.addEventListener('job', (event) => {
      const job = JSON.parse(event.data);
      if (job.state === 'waiting' || job.state === 'working') return tell(job);
      if (job.state === 'done') return leaveWith(resolve, job, true);
      if (job.state === 'cancelled') return leaveWith(reject, new Cancelled(), true);
      return leaveWith(reject, new ApiError(job.error, 400), true);
    });
    events.onerror = () => leaveWith(reject, new ApiError('the program does not answer; is it still running?', 0), true);
  });
}

// The answer to a question, however long that takes. `signal` gives it up.
export async function get(path, parameters, {signal, method = 'GET', body} = {}) {
  const address = `${path}?${query(parameters)}`;
  for (;;) {
    const [status, json] = await ask(address, {signal, method, body});
    if (status !== 202) return json;
    tell(json);
    try {
      await follow(json.job, signal);
    } catch (error) {
      // Another page that had the same job may have given it up: here it is still asked for.
      if (!(error instanceof Cancelled) || signal?.aborted || stoppedByHand.has(json.job)) throw error;
    }
  }
}
