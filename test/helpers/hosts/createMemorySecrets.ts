import type { Secrets } from '../../../src/core/base/ports.ts';

/** A keychain of one test; like the system's, it outlives the companions that use it. */
export const createMemorySecrets = (kind: Secrets['kind'] = 'memory'): Secrets => {
  const kept = new Map<string, string>();
  return {
    kind,
    get: async (name) => kept.get(name) ?? null,
    set: async (name, value) => void kept.set(name, value),
    remove: async (name) => void kept.delete(name),
  };
};
