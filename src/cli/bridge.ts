import { Problem } from '../core/base/problem.ts';
import { callBridge, type BridgeAnswer, type Call } from './callBridge.ts';
import { findCompanion, type Found } from './discovery.ts';
import { tokenNameOf } from './identity.ts';
import { openTokens, type Tokens } from './tokens.ts';

/** Where the command line looks for the companion and its own token. */
export type Place = { dataDir: string; ownData: boolean; keychain: 'system' | 'memory'; env: NodeJS.ProcessEnv };
/** The companion as the command line sees it. */
export type Bridge = {
  /** Where the companion listens. Throws `NOT_RUNNING`. */
  find: () => Promise<Found>;
  /** The token of this command line itself. */
  tokens: () => Promise<Tokens>;
  /** The token of a client by its identity; of one without, a token that nothing keeps. */
  tokensOf: (identity: string | null) => Promise<Tokens>;
  /** A request with this command line's token. Throws `NOT_PAIRED` when there is none. */
  call: (method: string, path: string, more?: Omit<Call, 'authorization'>) => Promise<BridgeAnswer>;
};

/** The name under which the command line's own token is kept; those of clients are named by what no client can choose. */
const commandLine = 'command line';

/** Nothing is looked for before it is needed. */
export const openBridge = (place: Place): Bridge => {
  let own: Promise<Tokens> | undefined;
  const find: Bridge['find'] = () => findCompanion(place.dataDir);
  const tokens: Bridge['tokens'] = () => (own ??= openTokens(place, commandLine, place.env));
  const tokensOf: Bridge['tokensOf'] = (identity) =>
    openTokens(place, identity === null ? null : tokenNameOf(identity, place.dataDir), place.env);
  const call: Bridge['call'] = async (method, path, more = {}) => {
    const { url } = await find();
    const token = await (await tokens()).get();
    if (token === null)
      throw new Problem('NOT_PAIRED', 'This command line is not paired yet. Run "listing-companion pair" first.');
    return callBridge(new URL(path, url), method, { ...more, authorization: `Bearer ${token}` });
  };
  return { find, tokens, tokensOf, call };
};
