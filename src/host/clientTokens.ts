import { createHash, randomBytes } from 'node:crypto';
import type { Secrets } from '../core/base/ports.ts';
import { keychainPlaceOf } from './dataFolder.ts';
import { assistantsService, openKeychain } from './keychain.ts';

/** 128 random bits at least, so that nobody comes upon another's. */
const shape = /^lci_[A-Za-z0-9_-]{22,86}$/;
const randomBytesOfOne = 24;

/** A fresh identity for the configuration of one client. */
export const newIdentity = (): string => `lci_${randomBytes(randomBytesOfOne).toString('base64url')}`;

/** Whether a text has the form of an identity. */
export const isIdentity = (text: string): boolean => shape.test(text);

/** The name under which the keychain keeps the token of an identity: of each data folder its own, and it gives away neither. */
export const tokenNameOf = (identity: string, folder: Pick<Place, 'dataDir' | 'ownData'>): string =>
  `client ${createHash('sha256')
    .update(`${keychainPlaceOf(folder)}\n${identity}`)
    .digest('hex')}`;

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

/** Where the tokens of this user's assistants are kept, all of them. */
export const openAssistantKeychain = (place: Place): Promise<Secrets> =>
  openKeychain({ kind: place.keychain, service: assistantsService(place) });

/**
 * Opens the place of one assistant's token; the environment goes before the keychain. `name` is the token's in the
 * keychain and never one that a client chose; null: the token lasts for this process.
 */
export const openTokens = async (place: Place, name: string | null, env: NodeJS.ProcessEnv): Promise<Tokens> => {
  const secrets = await openAssistantKeychain(name === null ? { ...place, keychain: 'memory' } : place);
  const assistant = name ?? 'this process';
  return {
    lasting: secrets.kind === 'system',
    get: async () => env[tokenVariable] || secrets.get(assistant),
    set: (token) => secrets.set(assistant, token),
    remove: () => secrets.remove(assistant),
  };
};
