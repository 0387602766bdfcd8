import { createHash, randomBytes } from 'node:crypto';
import type { Secrets } from '../core/base/ports.ts';
import { getKeychainFolder } from './data/dataFolder.ts';
import { getAssistantsServiceName, openKeychain } from './keychain.ts';

/** An identity contains at least 128 random bits, so that no two identities are equal. */
const identityPattern = /^lci_[A-Za-z0-9_-]{22,86}$/;
const identityBytes = 24;

export const createClientIdentity = (): string => `lci_${randomBytes(identityBytes).toString('base64url')}`;

export const isClientIdentity = (text: string): boolean => identityPattern.test(text);

/** The name is a hash, so that it reveals neither the data folder nor the identity. */
export const getTokenKeychainName = (identity: string, folder: Pick<TokenPlace, 'dataDir' | 'ownData'>): string =>
  `client ${createHash('sha256')
    .update(`${getKeychainFolder(folder)}\n${identity}`)
    .digest('hex')}`;

/** The environment variable that can contain the token. */
export const tokenVariable = 'LISTING_COMPANION_TOKEN';

export type TokenStore = {
  /** False if the token is lost when this process ends. */
  lasting: boolean;
  get: () => Promise<string | null>;
  set: (token: string) => Promise<void>;
  remove: () => Promise<void>;
};

type TokenPlace = { dataDir: string; ownData: boolean; keychain: 'system' | 'memory' };

export const openAssistantKeychain = (place: TokenPlace): Promise<Secrets> =>
  openKeychain({ kind: place.keychain, service: getAssistantsServiceName(place) });

/**
 * The environment variable has priority over the keychain. `name` is the name of the token in the keychain, which a
 * client must not choose; null stores the token only in memory.
 */
export const openClientTokenStore = async (
  place: TokenPlace,
  name: string | null,
  env: NodeJS.ProcessEnv,
): Promise<TokenStore> => {
  const secrets = await openAssistantKeychain(name === null ? { ...place, keychain: 'memory' } : place);
  const assistant = name ?? 'this process';
  return {
    lasting: secrets.kind === 'system',
    get: async () => env[tokenVariable] || secrets.get(assistant),
    set: (token) => secrets.set(assistant, token),
    remove: () => secrets.remove(assistant),
  };
};
