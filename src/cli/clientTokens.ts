import { createHash, randomBytes } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { Problem } from '../core/base/problem.ts';
import { keychainService, openKeychain } from '../host/keychain.ts';

/** Where a client's configuration may hold its identity in place of the flag. */
export const identityVariable = 'LISTING_COMPANION_IDENTITY';

/** 128 random bits at least, so that nobody comes upon another's. */
const shape = /^lci_[A-Za-z0-9_-]{22,86}$/;
const randomBytesOfOne = 24;

/** A fresh identity for the configuration of one client. */
export const newIdentity = (): string => `lci_${randomBytes(randomBytesOfOne).toString('base64url')}`;

/**
 * The identity that the configuration of a client holds, or null when it holds none. The name that a client gives itself
 * is none: any program can take any name. Throws `MISUSE`.
 */
export const identityOf = (flag: string | undefined, env: NodeJS.ProcessEnv): string | null => {
  const given = flag ?? env[identityVariable];
  if (given === undefined || given === '') return null;
  if (!shape.test(given))
    throw new Problem(
      'MISUSE',
      'This is no identity. Take the one that Listing Companion, Assistants, shows for this client, or make one with "listing-companion mcp --new-identity".',
    );
  return given;
};

/** The name under which the keychain keeps the token of an identity: of each data folder its own, and it gives away neither. */
export const tokenNameOf = (identity: string, dataDir: string): string =>
  `client ${createHash('sha256')
    .update(`${resolve(dataDir)}\n${identity}`)
    .digest('hex')}`;

/**
 * The identity of an installed bundle, which lies in the bundle's own folder and is made at its first start; null where
 * that folder takes no file.
 */
export const installedIdentity = (file: string): string | null => {
  try {
    writeFileSync(file, newIdentity(), { flag: 'wx', mode: 0o600, flush: true });
  } catch {
    // It is there already, or cannot be written; reading it tells which.
  }
  try {
    const text = readFileSync(file, 'utf8').trim();
    return shape.test(text) ? text : null;
  } catch {
    return null;
  }
};

/** Where the token comes from when there is no keychain to keep it. */
export const tokenVariable = 'LISTING_COMPANION_TOKEN';

/** Where tokens of this user's assistants are kept: in the system's keychain, apart from the companion's own secrets. */
export type Tokens = {
  /** False when nothing outlives this process. */
  lasting: boolean;
  get: () => Promise<string | null>;
  set: (token: string) => Promise<void>;
  remove: () => Promise<void>;
};

type Place = { dataDir: string; ownData: boolean; keychain: 'system' | 'memory' };

/**
 * Opens the place of one assistant's token; the environment goes before the keychain. `name` is the token's in the
 * keychain and never one that a client chose; null: the token lasts for this process.
 */
export const openTokens = async (place: Place, name: string | null, env: NodeJS.ProcessEnv): Promise<Tokens> => {
  const kind = name === null ? 'memory' : place.keychain;
  const secrets = await openKeychain({ kind, service: `${keychainService(place)} assistants` });
  const assistant = name ?? 'this process';
  return {
    lasting: secrets.kind === 'system',
    get: async () => env[tokenVariable] || secrets.get(assistant),
    set: (token) => secrets.set(assistant, token),
    remove: () => secrets.remove(assistant),
  };
};
