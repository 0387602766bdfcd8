import { setTimeout as wait } from 'node:timers/promises';
import { Problem } from '../../core/base/problem.ts';
import { commandLineName } from '../../core/base/similarNames.ts';
import type { Command } from '../command.ts';
import { requestPairing, readPairing, type Pairing } from '../pairing.ts';
import { tokenVariable } from '../tokens.ts';

const refusals = {
  refused: () => new Problem('PAIRING_REFUSED', 'The person did not let this command line in.'),
  expired: () => new Problem('PAIRING_EXPIRED', 'Nobody answered in time. Run "listing-companion pair" again.'),
};

const tokenOf = async (url: string, pairing: Pairing): Promise<string> => {
  for (;;) {
    const { state, token } = await readPairing(url, pairing);
    if (state === 'refused' || state === 'expired') throw refusals[state]();
    if (token !== undefined) return token;
    await wait(pairing.pollAfterMs);
  }
};

/** Asks to be let in, shows the code, and keeps the token where the system keeps secrets. */
export const pair: Command = {
  takes: [],
  flags: { name: { type: 'string' } },
  help: '  --name NAME          What the person sees; "Command line" when left out',
  run: async ({ bridge, out, flags }) => {
    const { url } = await bridge.find();
    const tokens = await bridge.tokens();
    const pairing = await requestPairing(url, typeof flags['name'] === 'string' ? flags['name'] : commandLineName);
    out.note(`Open Listing Companion, Assistants. Accept when it shows this code: ${pairing.code}`);
    const token = await tokenOf(url, pairing);
    if (tokens.lasting) {
      await tokens.set(token);
      out.result(['Paired.'], { paired: true });
    } else {
      out.note(`No keychain keeps it here. Set this variable yourself, and show it to nobody:`);
      out.result([`${tokenVariable}=${token}`], { paired: true, token });
    }
    return 'ok';
  },
};
