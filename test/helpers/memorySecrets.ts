import type { Secrets } from '../../src/core/ports.ts';

/** A keychain of this test's own. */
export const memorySecrets = (): Secrets => {
  const kept = new Map<string, string>();
  return {
    kind: 'memory',
    get: async (name) => kept.get(name) ?? null,
    set: async (name, value) => void kept.set(name, value),
    remove: async (name) => void kept.delete(name),
  };
};
