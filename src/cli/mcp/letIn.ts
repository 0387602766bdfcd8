import { Problem } from '../../core/problem.ts';
import type { Bridge } from '../bridge.ts';
import { askToPair, lookAtPairing, type Pairing } from '../pairing.ts';

/** The person has not let the client in yet; holds the code to compare. */
class NotPaired extends Problem {
  readonly pairingCode: string;

  constructor(pairingCode: string) {
    super(
      'NOT_PAIRED',
      `The person has not let you in yet. Open Listing Companion, Assistants, and accept when it shows the code ${pairingCode}.`,
    );
    this.pairingCode = pairingCode;
  }
}

const refusal = (): Problem =>
  new Problem('PAIRING_REFUSED', 'The person did not let you in. Restart this client to ask again.');

/** The tokens of this process's client: kept in the keychain, asked for at the first call that needs one. */
export const letIn = (bridge: Bridge, note: (line: string) => void) => {
  let open: Pairing | null = null;
  let wasRefused = false;

  const ask = async (url: string, name: string): Promise<Pairing> => {
    const pairing = await askToPair(url, name);
    note(`${name} asks to be let in. Compare this code in Listing Companion, Assistants: ${pairing.code}`);
    return pairing;
  };

  const pair = async (name: string): Promise<string> => {
    if (wasRefused) throw refusal();
    const { url } = await bridge.find();
    open ??= await ask(url, name);
    const { state, token } = await lookAtPairing(url, open);
    const { code } = open;
    if (state !== 'waiting') open = null;
    if (token !== undefined) return token;
    if (state === 'refused') wasRefused = true;
    if (state === 'refused') throw refusal();
    if (state === 'waiting') throw new NotPaired(code);
    open = await ask(url, name);
    throw new NotPaired(open.code);
  };

  return {
    /** The token of a client. Throws `NOT_PAIRED` with the code to compare, or `PAIRING_REFUSED`. */
    tokenOf: async (name: string): Promise<string> => {
      const tokens = await bridge.tokens(name);
      const kept = await tokens.get();
      if (kept !== null) return kept;
      const token = await pair(name);
      await tokens.set(token);
      return token;
    },
    forget: async (name: string): Promise<void> => (await bridge.tokens(name)).remove(),
    codeOf: (error: unknown): { pairingCode?: string } =>
      error instanceof NotPaired ? { pairingCode: error.pairingCode } : {},
  };
};
