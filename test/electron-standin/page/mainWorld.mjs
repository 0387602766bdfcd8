/* global CustomEvent, HTMLAnchorElement, MessageChannel */

/**
 * Runs in the page's own world: the page's side of `contextBridge`, and `window.open`. It communicates with the
 * preload's world through events of the document. The page receives the source text of this function, so it uses
 * nothing from outside.
 */
export const mainWorld = (token) => {
  if (window !== window.top) return;
  const callbacks = new Map();
  const waiting = new Map();
  let lastCallback = 0;
  /** Resolves when the call that is being answered has its answer; null if there is no such call. */
  let asking = null;

  /** Sends a message to the preload's world and returns the answer: event listeners run synchronously. */
  const ask = (message) => {
    let answer;
    asking = Promise.withResolvers();
    const take = (event) => (answer = event.detail);
    document.addEventListener(`${token}:answer`, take, { once: true });
    document.dispatchEvent(new CustomEvent(`${token}:ask`, { detail: message }));
    document.removeEventListener(`${token}:answer`, take);
    asking.resolve();
    asking = null;
    return answer;
  };

  const isPlain = (value) =>
    typeof value === 'object' &&
    value !== null &&
    (Array.isArray(value) || Object.getPrototypeOf(value) === Object.prototype);

  /** Replaces functions with numbers, which the preload's world uses to call them. */
  const out = (value) => {
    if (typeof value === 'function') {
      for (const [id, known] of callbacks) if (known === value) return { __callback: id };
      lastCallback += 1;
      callbacks.set(lastCallback, value);
      return { __callback: lastCallback };
    }
    if (Array.isArray(value)) return value.map(out);
    return isPlain(value) ? Object.fromEntries(Object.entries(value).map(([key, entry]) => [key, out(entry)])) : value;
  };

  const errorOf = (error) => (error?.__error ? new Error(error.message) : error);

  const settle = (answer) => {
    if (!answer) throw new Error('An object could not be cloned.');
    if ('promise' in answer) return new Promise((resolve, reject) => waiting.set(answer.promise, { resolve, reject }));
    if ('error' in answer) throw errorOf(answer.error);
    return into(answer.value);
  };

  const into = (value) => {
    if (!isPlain(value)) return value;
    if (Array.isArray(value)) return Object.freeze(value.map(into));
    if ('__function' in value) {
      const call = (...args) => settle(ask({ call: value.__function, args: out(args) }));
      // A test can evaluate a call while the page is paused in a synchronous call. In Electron, the test would wait.
      return (...args) => (asking ? asking.promise.then(() => call(...args)) : call(...args));
    }
    return Object.freeze(Object.fromEntries(Object.entries(value).map(([key, entry]) => [key, into(entry)])));
  };

  const { port1: tasks, port2: newTasks } = new MessageChannel();
  const queued = [];
  tasks.onmessage = () => queued.shift()();
  /** The page handles what arrives in a task of its own, so that a trace tells its work from that of the stand-in. */
  const runInTask = (act) => {
    queued.push(act);
    newTasks.postMessage(null);
  };

  document.addEventListener(`${token}:tell`, ({ detail }) => {
    if (!detail) return;
    if (detail.expose) Object.defineProperty(window, detail.expose, { value: into(detail.api), enumerable: true });
    else if (detail.callback) runInTask(() => callbacks.get(detail.callback)?.(...detail.args));
    else {
      const { resolve, reject } = waiting.get(detail.settle);
      waiting.delete(detail.settle);
      const value = 'error' in detail ? errorOf(detail.error) : into(detail.value);
      runInTask(() => ('error' in detail ? reject(value) : resolve(value)));
    }
  });

  const mayOpen = (url, frameName, features) => {
    const disposition = features ? 'new-window' : 'foreground-tab';
    return ask({ open: { url, frameName, features, disposition } }) === 'allow';
  };
  const openWindow = window.open.bind(window);
  window.open = (address = 'about:blank', name = '', features = '') => {
    const url = new URL(String(address), location.href).href;
    return mayOpen(url, String(name), String(features)) ? openWindow(address, name, features) : null;
  };
  window.addEventListener('click', (event) => {
    const link = event.composedPath().find((element) => element instanceof HTMLAnchorElement);
    const opens = link?.target === '_blank' && link.href && !event.defaultPrevented;
    if (opens && !mayOpen(link.href, '', '')) event.preventDefault();
  });
};
