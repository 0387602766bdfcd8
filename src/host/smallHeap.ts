import { setFlagsFromString } from 'node:v8';

/**
 * From now on V8 takes little more memory than it needs. Garbage of a moment has as much room as a start takes, some megabytes:
 * it would grow to sixteen while there is much to do. And each time that V8 looks through its heap it gives back to the system
 * what is free, which it does by itself only after ten megabytes more.
 */
export const keepHeapSmall = (): void => {
  for (const flag of ['--semi-space-growth-factor=1', '--optimize-for-size']) setFlagsFromString(flag);
};
