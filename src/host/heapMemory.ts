import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import * as z from 'zod';

/**
 * Without these flags, V8 grows the young generation to 16 MB, and the old generation to several times what it holds.
 * `--optimize-for-size` would also move objects together in each collection of the old generation, which takes 20 ms.
 */
export const keepHeapSmall = (): void => {
  for (const flag of ['--semi-space-growth-factor=1', '--heap-growing-percent=30']) setFlagsFromString(flag);
};

const collector = z.custom<(options: { type: string; execution: string; flavor: string }) => void>(
  (value) => typeof value === 'function',
);

/**
 * Returns all free memory to the system. An idle process allocates nothing, so V8 would keep what a session has left
 * behind. The event loop waits for about 0.1 s.
 */
export const collectGarbage = (): void => {
  // Only a context that is created while the flag is set has this function.
  setFlagsFromString('--expose-gc');
  const collect = collector.parse(runInNewContext('gc'));
  setFlagsFromString('--no-expose-gc');
  collect({ type: 'major', execution: 'sync', flavor: 'last-resort' });
};
