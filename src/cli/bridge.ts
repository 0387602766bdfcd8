import { Problem } from '../core/problem.ts';
import { callBridge, type BridgeAnswer, type Call } from './callBridge.ts';
import { findCompanion, type Found } from './discovery.ts';
import { openTokens, type Tokens } from './tokens.ts';

/** Where the command line looks for the companion and its own token. */
export type Place = { dataDir: string; ownData: boolean; keychain: 'system' | 'memory'; env: NodeJS.ProcessEnv };
export type Bridge = ReturnType<typeof openBridge>;

/** The name under which the command line's own token is kept. */
const commandLine = 'command line';

/** The companion as the command line sees it; nothing is looked for before it is needed. */
export const openBridge = (place: Place) => {
  const opened = new Map<string, Promise<Tokens>>();
  const find = (): Promise<Found> => findCompanion(place.dataDir);
  const tokens = (assistant = commandLine): Promise<Tokens> => {
    const known = opened.get(assistant) ?? openTokens(place, assistant, place.env);
    opened.set(assistant, known);
    return known;
  };
  /** A request with this command line's token. Throws `NOT_PAIRED` when there is none. */
  const call = async (method: string, path: string, more: Omit<Call, 'authorization'> = {}): Promise<BridgeAnswer> => {
    const { url } = await find();
    const token = await (await tokens()).get();
    if (token === null)
      throw new Problem('NOT_PAIRED', 'This command line is not paired yet. Run "listing-companion pair" first.');
    return callBridge(new URL(path, url), method, { ...more, authorization: `Bearer ${token}` });
  };
  return { find, tokens, call };
};
