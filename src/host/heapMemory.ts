import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import * as z from 'zod';

/**
 * Without these flags, V8 grows the young generation to 16 MB and returns free memory only after 10 MB of allocations.
 */
export const keepHeapSmall = (): void => {
  for (const flag of ['--semi-space-growth-factor=1', '--optimize-for-size']) setFlagsFromString(flag);
};

const collector = z.custom<() => void>((value) => typeof value === 'function');

/** An idle process allocates nothing, so V8 would keep what a session has left behind. */
export const collectGarbage = (): void => {
  // Only a context that is created while the flag is set has this function.
  setFlagsFromString('--expose-gc');
  const collect = collector.parse(runInNewContext('gc'));
  setFlagsFromString('--no-expose-gc');
  collect();
};
