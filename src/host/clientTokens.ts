import { createHash, randomBytes } from 'node:crypto';
import type { Secrets } from '../core/base/ports.ts';
import { getKeychainPlace } from './dataFolder.ts';
import { nameAssistantsService, openKeychain } from './keychain.ts';

/** At least 128 random bits, so that identities are unique. */
const identityPattern = /^lci_[A-Za-z0-9_-]{22,86}$/;
const identityBytes = 24;

/** Creates an identity for the configuration of one client. */
export const createClientIdentity = (): string => `lci_${randomBytes(identityBytes).toString('base64url')}`;

/** Whether a text has the format of an identity. */
export const isClientIdentity = (text: string): boolean => identityPattern.test(text);

/**
 * Returns the keychain name of an identity's token. It differs per data folder and reveals neither the folder nor the
 * identity.
 */
export const hashTokenName = (identity: string, folder: Pick<TokenPlace, 'dataDir' | 'ownData'>): string =>
  `client ${createHash('sha256')
    .update(`${getKeychainPlace(folder)}\n${identity}`)
    .digest('hex')}`;

/** The environment variable with the token if there is no keychain. */
export const tokenVariable = 'LISTING_COMPANION_TOKEN';

/** The stored token of one assistant of this user, in the keychain but apart from the companion's own secrets. */
export type Tokens = {
  /** False if the token lasts only as long as this process. */
  lasting: boolean;
  get: () => Promise<string | null>;
  set: (token: string) => Promise<void>;
  remove: () => Promise<void>;
};

type TokenPlace = { dataDir: string; ownData: boolean; keychain: 'system' | 'memory' };

/** Opens the keychain with the tokens of this user's assistants. */
export const openAssistantKeychain = (place: TokenPlace): Promise<Secrets> =>
  openKeychain({ kind: place.keychain, service: nameAssistantsService(place) });

/**
 * Opens the token of one assistant; the environment variable takes precedence over the keychain. `name` is the token's
 * name in the keychain, which a client must not choose; null keeps the token in memory only.
 */
export const openClientTokens = async (
  place: TokenPlace,
  name: string | null,
  env: NodeJS.ProcessEnv,
): Promise<Tokens> => {
  const secrets = await openAssistantKeychain(name === null ? { ...place, keychain: 'memory' } : place);
  const assistant = name ?? 'this process';
  return {
    lasting: secrets.kind === 'system',
    get: async () => env[tokenVariable] || secrets.get(assistant),
    set: (token) => secrets.set(assistant, token),
    remove: () => secrets.remove(assistant),
  };
};
