import { isScannedText, maxEnterGapMs, maxGapMs, minScanChars } from './scanBurst.ts';

export const swallowEvent = (event: Event): void => {
  event.preventDefault();
  event.stopImmediatePropagation();
};

/** The browser clicks these elements when Space is released. */
const pressedBySpace = 'button, summary, [type=checkbox], [type=radio]';

export const isPressedBySpace = (char: string): boolean =>
  char === ' ' && document.activeElement?.matches(pressedBySpace) === true;

const copyKey = (event: KeyboardEvent): KeyboardEvent =>
  new KeyboardEvent('keydown', {
    key: event.key,
    code: event.code,
    shiftKey: event.shiftKey,
    bubbles: true,
    cancelable: true,
    composed: true,
  });

/** What a character does if a person typed it, and if a scanner typed it. */
type WaitingKey = { passOn: () => void; drop: () => void };

/**
 * Creates the guard of a focused list. The browser chooses an option for each character, so the guard hides the choice
 * until it is known whether a person types.
 */
const createChoiceGuard = () => {
  let kept: { list: HTMLSelectElement; value: string } | null = null;
  const takeKept = () => {
    const taken = kept;
    kept = null;
    return taken;
  };
  const passOn = (): void => {
    const taken = takeKept();
    if (taken === null || taken.list.value === taken.value) return;
    for (const kind of ['input', 'change']) taken.list.dispatchEvent(new Event(kind, { bubbles: true }));
  };
  const drop = (): void => {
    const taken = takeKept();
    if (taken !== null) taken.list.value = taken.value;
  };
  return {
    onChoice: (event: Event): void => {
      if (kept !== null && event.target === kept.list) event.stopImmediatePropagation();
    },
    keep: (list: HTMLSelectElement): WaitingKey => {
      kept ??= { list, value: list.value };
      return { passOn, drop };
    },
  };
};

const passedCopies = new WeakSet<Event>();

/** Returns whether the event is a copy of a key that waited. */
export const isPassedKey = (event: Event): boolean => passedCopies.has(event);

/**
 * `pressed` is the element that Space presses. Every other key goes to the element that has the focus after the
 * previous key.
 */
const passOnKey = (key: KeyboardEvent, pressed: Element | null): void => {
  const copy = copyKey(key);
  passedCopies.add(copy);
  const target = pressed?.isConnected === true ? pressed : (document.activeElement ?? document.body);
  const isUnhandled = target.dispatchEvent(copy);
  // The browser does not click for a dispatched event.
  if (isUnhandled && pressed instanceof HTMLElement) pressed.click();
};

/** Creates the queue of the characters that wait until it is known whether a scanner types. */
export const createKeyQueue = () => {
  const choices = createChoiceGuard();
  let keys: WaitingKey[] = [];
  /** The characters of the burst, also those that acted at once. */
  let text = '';
  let timer: { id: number; dueAt: number } | null = null;
  const takeKeys = (): WaitingKey[] => {
    const taken = keys;
    if (timer !== null) window.clearTimeout(timer.id);
    timer = null;
    keys = [];
    text = '';
    return taken;
  };
  const clear = (): void => takeKeys().forEach(({ drop }) => drop());
  const start = (ms: number): void => {
    if (timer !== null) window.clearTimeout(timer.id);
    timer = { id: window.setTimeout(onTimer, ms), dueAt: performance.now() + ms };
  };
  const isScan = (): boolean => keys.length > 0 && isScannedText(text);
  const passOn = (): void => {
    if (isScan()) clear();
    else takeKeys().forEach((key) => key.passOn());
  };
  /** Each key has a task of its own, because J moves the focus only after its handler has returned. */
  const passOnOneByOne = (): void => {
    const next = keys.shift();
    if (next === undefined) return clear();
    timer = { id: window.setTimeout(passOnOneByOne), dueAt: performance.now() };
    next.passOn();
  };
  const onTimer = (): void => {
    // A page that was busy runs its timers late, perhaps before the keys that were pressed in the meantime.
    if (timer !== null && performance.now() - timer.dueAt > maxGapMs) return start(maxGapMs);
    if (isScan()) clear();
    else passOnOneByOne();
  };
  return {
    /** `burst` contains all characters of the burst, up to this one. */
    add: (event: KeyboardEvent, burst: string): void => {
      const active = document.activeElement;
      if (active instanceof HTMLSelectElement) keys.push(choices.keep(active));
      else {
        swallowEvent(event);
        const pressed = isPressedBySpace(event.key) ? active : null;
        keys.push({ passOn: () => passOnKey(event, pressed), drop: () => undefined });
      }
      text = burst;
      start(text.length < minScanChars ? maxGapMs : maxEnterGapMs);
    },
    onChoice: choices.onChoice,
    clear,
    isScan,
    passOn,
    isEmpty: (): boolean => keys.length === 0,
  };
};
