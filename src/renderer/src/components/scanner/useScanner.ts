import { useEffectEvent, useLayoutEffect } from 'react';
import { isEditingField } from '../Keys.tsx';
import { createKeyQueue, isPassedKey, isPressedBySpace, swallowEvent } from './keyQueue.ts';
import { createScanBurst, maxEnterGapMs, minScanChars } from './scanBurst.ts';

const isSearchField = (element: Element | null): element is HTMLInputElement =>
  element instanceof HTMLInputElement && element.matches('[data-search]');

/**
 * These keys only move the focus, scroll, open a list or go to a search field, so they act at once. On the contact sheet
 * J joins items.
 */
const isHarmlessKey = (char: string): boolean => {
  const active = document.activeElement;
  if (char === ' ') return !isPressedBySpace(char);
  if (active instanceof HTMLSelectElement) return false;
  return char === '/' || (/^[jk]$/.test(char) && active?.closest('[data-tile]') == null);
};

/** React notices only a value that the field's own setter has written. */
const writeField = (field: HTMLInputElement, value: string): void => {
  Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value')?.set?.call(field, value);
  field.dispatchEvent(new Event('input', { bubbles: true }));
};

const otherModifiers = ['Shift', 'CapsLock', 'NumLock', 'AltGraph'];

const isWithModifier = (event: KeyboardEvent): boolean =>
  !event.getModifierState('AltGraph') && (event.ctrlKey || event.metaKey || event.altKey);

/** A held Space presses a button once, because its first press waits in the queue. */
const isHeldPress = (event: KeyboardEvent): boolean => event.repeat && isPressedBySpace(event.key);

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
    let text = burst.add(event.key, event.timeStamp);
    if (text.length === 1) {
      passOn();
      text = burst.add(event.key, event.timeStamp);
    }
    const active = document.activeElement;
    if (isSearchField(active)) {
      field ??= { element: active, text: active.value };
      return;
    }
    if (isEditingField(active) && !(active instanceof HTMLSelectElement)) return passOn();
    if (queue.isEmpty() && isHarmlessKey(event.key)) return;
    queue.add(event, text);
    if (queue.isScan()) lastScanAt = event.timeStamp;
  };
  const onKey = (event: KeyboardEvent): void => {
    if (isPassedKey(event) || event.isComposing || otherModifiers.includes(event.key)) return;
    if (isHeldPress(event)) swallowEvent(event);
    if (!isScannerKey(event)) passOn();
    else if (event.repeat) passOnUnlessAfterScan(event);
    else if (event.key.length === 1) onCharacter(event);
    else onEnd(event);
  };
  return { onKey, onChoice: queue.onChoice, passOn, clear: queue.clear };
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
    for (const kind of ['input', 'change']) window.addEventListener(kind, gate.onChoice, options);
    return () => {
      listening.abort();
      gate.clear();
    };
  }, []);
};
