import { Problem } from '../core/problem.ts';

const deepest = 32;

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

/** Looks for what `JSON.parse` lets pass: depth that exhausts what comes after, and keys that are there twice. */
const checkShape = (text: string): void => {
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
      const name = JSON.parse(key ?? '""') as string;
      if (name === '__proto__') throw bad('A key of that name is not accepted.');
      if (keys?.has(name)) throw bad(`The body has the key “${name.slice(0, 60)}” twice. Send it once.`);
      keys?.add(name);
    } else if (char === '{' || char === '[') {
      open.push(char === '{' ? new Set() : null);
      if (open.length > deepest) throw bad('The body is nested too deep.');
    } else if (char === '}' || char === ']') open.pop();
  }
};

/** Parses a body strictly: valid JSON, every key once, not deeper than 32. Throws `INVALID_REQUEST`. */
export const scanJson = (text: string): unknown => {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw bad('The body is not valid JSON.');
  }
  checkShape(text);
  return value;
};
