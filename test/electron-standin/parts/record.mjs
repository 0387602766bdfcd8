import { version } from '../versions.mjs';

/** For tests of the stand-in only: every call that is recorded instead of performed. */
export const standin = { version, calls: [], trays: [], notifications: [] };
globalThis.__standin = standin;

export const record = (what, ...args) => void standin.calls.push([what, args]);

/** An event object for Electron's listeners. */
export const createEvent = (more = {}) => {
  const event = { defaultPrevented: false, preventDefault: () => void (event.defaultPrevented = true), ...more };
  return event;
};

/**
 * Wraps an object so that a method that it lacks is recorded and returns undefined. Existing methods are bound to the
 * object, because private fields do not work through a proxy.
 */
export const recorder = (name, base) => {
  const bound = new WeakMap();
  const isRecorded = (key) =>
    typeof key === 'string' && !(key in base) && key !== 'then' && key !== 'toJSON' && !key.startsWith('_');
  const proxy = new Proxy(base, {
    get: (target, key) => {
      if (isRecorded(key)) return (...args) => record(`${name}.${key}`, ...args);
      const value = Reflect.get(target, key, target);
      if (typeof value !== 'function' || key === 'constructor') return value;
      if (!bound.has(value)) bound.set(value, value.bind(target));
      return bound.get(value);
    },
  });
  base._proxy = proxy;
  return proxy;
};
