import { useEffectEvent, useLayoutEffect } from 'react';
import { isEditingField } from '../Keys.tsx';
import { createScanBurst, maxEnterGapMs, maxGapMs, minScanChars, selectingKeys } from './scanBurst.ts';

const isSearchField = (element: Element | null): element is HTMLInputElement =>
  element instanceof HTMLInputElement && element.matches('[data-search]');

/** These keys only move the focus, or to a search field, so they act at once. On the contact sheet J joins items. */
const isHarmlessKey = (char: string): boolean =>
  (/^[jk]$/.test(char) && document.activeElement?.closest('[data-tile]') == null) || char === '/' || char === ' ';

const copyKey = (event: KeyboardEvent): KeyboardEvent =>
  new KeyboardEvent('keydown', {
    key: event.key,
    code: event.code,
    shiftKey: event.shiftKey,
    bubbles: true,
    cancelable: true,
    composed: true,
  });

/** React notices only a value that the field's own setter has written. */
const writeField = (field: HTMLInputElement, value: string): void => {
  Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value')?.set?.call(field, value);
  field.dispatchEvent(new Event('input', { bubbles: true }));
};

/** Creates the queue of the characters that wait until it is known whether a scanner types. */
const createKeyQueue = () => {
  const passed = new WeakSet<Event>();
  let keys: KeyboardEvent[] = [];
  let timer: { id: number; dueAt: number } | null = null;
  const clear = (): void => {
    if (timer !== null) window.clearTimeout(timer.id);
    timer = null;
    keys = [];
  };
  const start = (ms: number): void => {
    if (timer !== null) window.clearTimeout(timer.id);
    timer = { id: window.setTimeout(onTimer, ms), dueAt: performance.now() + ms };
  };
  const passOnKey = (key: KeyboardEvent): void => {
    const copy = copyKey(key);
    passed.add(copy);
    (document.activeElement ?? document.body).dispatchEvent(copy);
  };
  const isScan = (): boolean => keys.length >= minScanChars && !keys.every(({ key }) => selectingKeys.test(key));
  const passOn = (): void => {
    const waiting = isScan() ? [] : keys;
    clear();
    waiting.forEach(passOnKey);
  };
  /** Each key has a task of its own, because J moves the focus only after its handler has returned. */
  const passOnOneByOne = (): void => {
    const next = keys.shift();
    if (next === undefined) return clear();
    timer = { id: window.setTimeout(passOnOneByOne), dueAt: performance.now() };
    passOnKey(next);
  };
  const onTimer = (): void => {
    // A page that was busy runs its timers late, perhaps before the keys that were pressed in the meantime.
    if (timer !== null && performance.now() - timer.dueAt > maxGapMs) return start(maxGapMs);
    if (isScan()) clear();
    else passOnOneByOne();
  };
  return {
    clear,
    isScan,
    passOn,
    hasPassed: (event: Event): boolean => passed.has(event),
    isEmpty: (): boolean => keys.length === 0,
    add: (event: KeyboardEvent, waitMs: number): void => {
      keys.push(event);
      start(waitMs);
    },
  };
};

const swallowEvent = (event: Event): void => {
  event.preventDefault();
  event.stopImmediatePropagation();
};

const otherModifiers = ['Shift', 'CapsLock', 'NumLock', 'AltGraph'];

const isWithModifier = (event: KeyboardEvent): boolean =>
  !event.getModifierState('AltGraph') && (event.ctrlKey || event.metaKey || event.altKey);

/** The keys that a scanner sends: its characters, and Enter or Tab after them. */
const isScannerKey = (event: KeyboardEvent): boolean =>
  !isWithModifier(event) &&
  (event.key.length === 1 || event.key === 'Enter' || (event.key === 'Tab' && !event.shiftKey));

/**
 * Listens to the keys before all other listeners. The first character of a scan looks like a key of a person, and P asks
 * to publish. So a character outside of fields waits for 35 ms: two frames, which is too short to notice. If another character
 * follows within this time, both wait. Enter makes them a scan, as does Tab after three or more, and no other listener
 * sees them. One or two characters without Enter are passed on in their order; three or more come from a scanner, so they
 * are dropped. What follows a scan at once is dropped too, because a code may contain Enter and Tab. Keys that only move
 * act at once, and every other key, click and repeated key passes the waiting keys on first, so that the order stays.
 */
const createKeyGate = (onScan: (code: string) => void) => {
  const burst = createScanBurst();
  const queue = createKeyQueue();
  /** The search field into which the scanner types, and its text before. */
  let field: { element: HTMLInputElement; text: string } | null = null;

  /** When the scanner typed last, as a time stamp of an event. */
  let lastScanAt = -Infinity;

  const passOn = (): void => {
    burst.reset();
    field = null;
    queue.passOn();
  };
  const swallowAfterScan = (event: KeyboardEvent): boolean => {
    if (event.timeStamp - lastScanAt >= maxEnterGapMs) return false;
    lastScanAt = event.timeStamp;
    swallowEvent(event);
    queue.clear();
    passOn();
    return true;
  };
  const passOnUnlessAfterScan = (event: KeyboardEvent): void => {
    if (!swallowAfterScan(event)) passOn();
  };
  const onEnd = (event: KeyboardEvent): void => {
    const typedIn = field;
    const minChars = event.key === 'Enter' && typedIn === null ? 1 : minScanChars;
    const code = burst.end(event.timeStamp, minChars);
    if (code === null) return passOnUnlessAfterScan(event);
    swallowEvent(event);
    queue.clear();
    field = null;
    lastScanAt = event.timeStamp;
    if (typedIn?.element.isConnected === true) writeField(typedIn.element, typedIn.text);
    onScan(code);
  };
  const onCharacter = (event: KeyboardEvent): void => {
    if (!burst.isContinued(event.timeStamp) && swallowAfterScan(event)) return;
    const length = burst.add(event.key, event.timeStamp);
    if (length === 1) {
      passOn();
      burst.add(event.key, event.timeStamp);
    }
    const active = document.activeElement;
    if (isSearchField(active)) {
      field ??= { element: active, text: active.value };
      return;
    }
    if (isEditingField(active)) return passOn();
    if (queue.isEmpty() && isHarmlessKey(event.key)) return;
    swallowEvent(event);
    queue.add(event, length < minScanChars ? maxGapMs : maxEnterGapMs);
    if (queue.isScan()) lastScanAt = event.timeStamp;
  };
  const onKey = (event: KeyboardEvent): void => {
    if (queue.hasPassed(event) || event.isComposing || otherModifiers.includes(event.key)) return;
    if (!isScannerKey(event)) passOn();
    else if (event.repeat) passOnUnlessAfterScan(event);
    else if (event.key.length === 1) onCharacter(event);
    else onEnd(event);
  };
  return { onKey, passOn, clear: queue.clear };
};

/** Calls `onScan` with each code that a scanner types outside of fields or in a search field. */
export const useScanner = (onScan: (code: string) => void): void => {
  const onCode = useEffectEvent(onScan);
  // Screens listen from an effect, so a layout effect registers this listener before them.
  useLayoutEffect(() => {
    const gate = createKeyGate((code) => onCode(code));
    const listening = new AbortController();
    const options = { capture: true, signal: listening.signal };
    window.addEventListener('keydown', gate.onKey, options);
    window.addEventListener('pointerdown', gate.passOn, options);
    return () => {
      listening.abort();
      gate.clear();
    };
  }, []);
};
