import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import * as z from 'zod';
import type { Secrets } from '../../../src/core/base/ports.ts';

/** A keychain in a file, which outlives the processes that use it. */
export const createFileSecrets = (file: string): Secrets => {
  const kept = (): Record<string, string> =>
    existsSync(file) ? z.record(z.string(), z.string()).parse(JSON.parse(readFileSync(file, 'utf8'))) : {};
  const keep = (all: Record<string, string>): void => {
    writeFileSync(`${file}.new`, JSON.stringify(all));
    renameSync(`${file}.new`, file);
  };
  return {
    kind: 'system',
    get: async (name) => kept()[name] ?? null,
    set: async (name, value) => keep({ ...kept(), [name]: value }),
    remove: async (name) => keep(Object.fromEntries(Object.entries(kept()).filter(([other]) => other !== name))),
  };
};
