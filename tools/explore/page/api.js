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

// What nobody waits for any more, since the page goes, is not worked out.
const followed = new Set();
addEventListener('pagehide', () => {
  for (const id of followed) fetch(`/api/v1/jobs/${id}`, {method: 'DELETE', keepalive: true});
});

const stoppedByHand = new Set();
function giveUp(id) {
  return ask(`jobs/${id}`, {method: 'DELETE'});
}
export function cancelJob(id) {
  stoppedByHand.add(id);
  return giveUp(id);
}

// Follows a job until it is over.
function follow(id, signal) {
  return new Promise((resolve, reject) => {
    const events = new EventSource(`/api/v1/jobs/${id}/events`);
    followed.add(id);
    const end = (how, what) => {
      events.close();
      followed.delete(id);
      tell(null);
      how(what);
    };
    // Nobody waits for it any more.
    signal?.addEventListener('abort', () => { giveUp(id).catch(() => {}); end(reject, new Cancelled()); }, {once: true});
    events.addEventListener('job', (event) => {
      const job = JSON.parse(event.data);
      if (job.state === 'waiting' || job.state === 'working') return tell(job);
      if (job.state === 'done') return end(resolve, job);
      if (job.state === 'cancelled') return end(reject, new Cancelled());
      return end(reject, new ApiError(job.error, 400));
    });
    events.onerror = () => end(reject, new ApiError('the program does not answer; is it still running?', 0));
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
      // A question that was given up may have had the same job: this one is still asked.
      if (!(error instanceof Cancelled) || signal?.aborted || stoppedByHand.has(json.job)) throw error;
    }
  }
}
