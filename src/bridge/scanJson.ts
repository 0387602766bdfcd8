import { isBeyond } from '../contract/index.ts';
import { Problem } from '../core/base/problem.ts';

/** A body of a MiB has no more values than this. */
const bounds = { levels: 32, values: 2 ** 20 };

const bad = (sentence: string) => new Problem('INVALID_REQUEST', sentence);

/** The end of the string that begins at `from` (its opening quote): the index after the closing quote. */
const endOfString = (text: string, from: number): number => {
  for (let at = from + 1; at < text.length; at += 1) {
    const char = text[at];
    if (char === '\\') at += 1;
    else if (char === '"') return at + 1;
  }
  return text.length;
};

/** Looks for keys that are there twice, which `JSON.parse` lets pass. */
const checkKeys = (text: string): void => {
  const open: (Set<string> | null)[] = [];
  let key: string | null = null;
  for (let at = 0; at < text.length; at += 1) {
    const char = text[at];
    if (char === '"') {
      const end = endOfString(text, at);
      key = text.slice(at, end);
      at = end - 1;
    } else if (char === ':') {
      const keys = open.at(-1);
      const name = String(JSON.parse(key ?? '""'));
      if (name === '__proto__') throw bad('A key of that name is not accepted.');
      if (keys?.has(name)) throw bad(`The body has the key “${name.slice(0, 60)}” twice. Send it once.`);
      keys?.add(name);
    } else if (char === '{' || char === '[') {
      open.push(char === '{' ? new Set() : null);
    } else if (char === '}' || char === ']') open.pop();
  }
};

/** Parses a body strictly: valid JSON, every key once, not deeper than 32. Throws `INVALID_REQUEST`. */
export const parseStrictJson = (text: string): unknown => {
  if (isBeyond(text, bounds)) throw bad('The body is nested too deep.');
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw bad('The body is not valid JSON.');
  }
  checkKeys(text);
  return value;
};
