/* global CustomEvent, File */

/**
 * Runs in the preload's world: provides what a sandboxed preload can import from `electron`, and answers the page's
 * calls. The page receives the source text of this function, so it uses nothing from outside.
 */
export const isolatedWorld = (token, info, preload, makeCodec, pause) => {
  if (window !== window.top) return;
  const codec = makeCodec();
  const functions = new Map();
  const waiting = new Map();
  const listeners = new Map();
  let lastFunction = 0;
  let lastInvoke = 0;
  let lastPromise = 0;

  const tell = (detail) => document.dispatchEvent(new CustomEvent(`${token}:tell`, { detail }));
  const post = (message) => globalThis.__standinSend(JSON.stringify(message));

  /** Node answers while the page is paused inside `pause`. */
  const sync = (what, input) => codec.decode(pause({ what, input }));

  const isPlain = (value) =>
    typeof value === 'object' && value !== null && Object.getPrototypeOf(value) === Object.prototype;

  /** Replaces functions of the preload with numbers, which the page uses to call them. */
  const out = (value) => {
    if (typeof value === 'function') {
      for (const [id, known] of functions) if (known === value) return { __function: id };
      lastFunction += 1;
      functions.set(lastFunction, value);
      return { __function: lastFunction };
    }
    if (Array.isArray(value)) return value.map(out);
    return isPlain(value) ? Object.fromEntries(Object.entries(value).map(([key, entry]) => [key, out(entry)])) : value;
  };
  const into = (value) => {
    if (Array.isArray(value)) return value.map(into);
    if (!isPlain(value)) return value;
    if ('__callback' in value) return (...args) => tell({ callback: value.__callback, args: out(args) });
    return Object.fromEntries(Object.entries(value).map(([key, entry]) => [key, into(entry)]));
  };
  const errorOut = (error) => (error instanceof Error ? { __error: true, message: error.message } : out(error));

  const run = ({ call, args }) => {
    try {
      const value = functions.get(call)(...into(args));
      if (typeof value?.then !== 'function') return { value: out(value) };
      lastPromise += 1;
      const settle = lastPromise;
      value.then(
        (result) => tell({ settle, value: out(result) }),
        (error) => tell({ settle, error: errorOut(error) }),
      );
      return { promise: settle };
    } catch (error) {
      return { error: errorOut(error) };
    }
  };
  document.addEventListener(`${token}:ask`, ({ detail }) => {
    const answer = detail?.open ? sync('open', codec.encode(detail.open)) : detail ? run(detail) : null;
    document.dispatchEvent(new CustomEvent(`${token}:answer`, { detail: answer }));
  });

  const ipcRenderer = {
    send: (channel, ...args) => post({ type: 'send', channel, args: codec.encode(args) }),
    sendSync: (...args) => sync('sendSync', codec.encode(args)),
    invoke: async (channel, ...args) => {
      const message = { type: 'invoke', id: (lastInvoke += 1), channel, args: codec.encode(args) };
      return new Promise((resolve, reject) => {
        waiting.set(message.id, { resolve, reject });
        post(message);
      });
    },
    on: (channel, listener) => {
      listeners.set(channel, [...(listeners.get(channel) ?? []), listener]);
      return ipcRenderer;
    },
    removeListener: (channel, listener) => {
      const left = (listeners.get(channel) ?? []).filter((one) => one !== listener);
      listeners.set(channel, left);
      return ipcRenderer;
    },
  };
  ipcRenderer.off = ipcRenderer.removeListener;

  globalThis.__standinReceive = (text) => {
    const message = JSON.parse(text);
    if (message.type === 'message') {
      const event = { sender: ipcRenderer, ports: [] };
      for (const listener of listeners.get(message.channel) ?? []) listener(event, ...codec.decode(message.args));
      return;
    }
    const { resolve, reject } = waiting.get(message.id);
    waiting.delete(message.id);
    if (message.error !== undefined) reject(new Error(message.error));
    else resolve(codec.decode(message.value));
  };

  const electron = {
    ipcRenderer,
    contextBridge: {
      exposeInMainWorld: (key, api) => {
        if (key in window) throw new Error('Cannot bind an API on top of an existing property on the window object');
        tell({ expose: key, api: out(api) });
      },
    },
    webUtils: {
      getPathForFile: (file) => {
        if (!(file instanceof File)) throw new TypeError('Argument must be of type File');
        return sync('path', file);
      },
    },
  };
  const require = (name) => {
    if (name === 'electron' || name === 'electron/renderer') return electron;
    throw new Error(`module not found: ${name}`);
  };
  const module = { exports: {} };
  const process = { ...info, type: 'renderer', sandboxed: true, contextIsolated: true };
  try {
    preload.call(module.exports, require, module, module.exports, process, globalThis);
  } catch (error) {
    post({ type: 'preload-error', text: String(error?.stack ?? error) });
    throw error;
  }
};
