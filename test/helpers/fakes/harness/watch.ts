/** Listeners of the app's elements need no removal, because the elements are removed. */
const goesWithPage = (target: EventTarget): boolean =>
  target instanceof Node && target !== document && target !== document.documentElement && target !== document.body;

type Listen = { addEventListener: (...given: Parameters<EventTarget['addEventListener']>) => void };

/** Records listeners on objects that outlive the app's elements, and returns a function that removes them. */
export const watchListeners = (): (() => void) => {
  const added: (() => void)[] = [];
  const { addEventListener } = EventTarget.prototype as Listen;
  EventTarget.prototype.addEventListener = function (this: EventTarget | undefined, type, listener, options) {
    const target = this ?? window;
    addEventListener.call(target, type, listener, options);
    if (!goesWithPage(target)) added.push(() => target.removeEventListener(type, listener, options));
  };
  return () => {
    for (const end of added.splice(0)) end();
  };
};

type Wait = (act: (...given: unknown[]) => void, ...given: unknown[]) => number;

const watchTimer = (set: string, cancel: string): (() => void) => {
  const waiting = new Set<number>();
  const all = window as unknown as Record<string, Wait & ((id: number) => void)>;
  const [own, ownCancel] = [all[set]?.bind(window), all[cancel]?.bind(window)];
  if (!own || !ownCancel) throw new Error(`There is no ${set}.`);
  const wait: Wait = (act, ...given) => {
    const once = (...now: unknown[]): void => {
      if (set !== 'setInterval') waiting.delete(id);
      act(...now);
    };
    const id = own(once, ...given);
    waiting.add(id);
    return id;
  };
  const stop = (id: number): void => {
    waiting.delete(id);
    ownCancel(id);
  };
  Object.assign(window, { [set]: wait, [cancel]: stop });
  return () => waiting.forEach(stop);
};

/** Records timers and callbacks, and returns functions that cancel them. */
export const watchTimers = (): (() => void)[] => [
  watchTimer('setTimeout', 'clearTimeout'),
  watchTimer('setInterval', 'clearInterval'),
  watchTimer('requestAnimationFrame', 'cancelAnimationFrame'),
  watchTimer('requestIdleCallback', 'cancelIdleCallback'),
];

type Observing = { disconnect: () => void };

const watchObserver = (name: string): (() => void) => {
  const all = window as unknown as Record<string, new (...given: unknown[]) => Observing>;
  const Own = all[name];
  if (!Own) throw new Error(`There is no ${name}.`);
  const made = new Set<Observing>();
  all[name] = class extends Own {
    constructor(...given: unknown[]) {
      super(...given);
      made.add(this);
    }
  };
  return () => {
    for (const one of made) one.disconnect();
    made.clear();
  };
};

/** Records observers, and returns functions that disconnect them. */
export const watchObservers = (): (() => void)[] =>
  ['MutationObserver', 'ResizeObserver', 'IntersectionObserver'].map(watchObserver);

/** Records message channels and returns a function that closes them: an open channel keeps all its listeners alive. */
export const watchChannels = (): (() => void) => {
  const made = new Set<MessagePort>();
  const Own = window.MessageChannel;
  window.MessageChannel = class extends Own {
    constructor() {
      super();
      made.add(this.port1);
    }
  };
  return () => {
    for (const port of made) port.close();
    made.clear();
  };
};

const parts = ['value', 'get', 'set'] as const;

/**
 * Records an object's own properties and returns a function that restores them, except those of the browser's
 * automation.
 */
export const watchOwnKeys = (owner: object): (() => void) => {
  const was = new Map(Reflect.ownKeys(owner).map((key) => [key, Reflect.getOwnPropertyDescriptor(owner, key)]));
  const isDrivers = (key: string | symbol): boolean => typeof key === 'string' && /^__(pw|playwright)/.test(key);
  return () => {
    for (const key of Reflect.ownKeys(owner)) {
      const before = was.get(key);
      const now = Reflect.getOwnPropertyDescriptor(owner, key);
      if (before === undefined) {
        if (!isDrivers(key)) Reflect.deleteProperty(owner, key);
      } else if (parts.some((part) => now?.[part] !== before[part])) Reflect.defineProperty(owner, key, before);
    }
  };
};
