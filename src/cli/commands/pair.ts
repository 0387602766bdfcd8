import * as z from 'zod';
import { toProblemView, Problem } from '../../core/base/problem.ts';
import { type Command, toTerminalText } from '../command.ts';
import { setTimeout as wait } from 'node:timers/promises';
import { commandLineName } from '../../core/base/similarNames.ts';
import { parseAnswerBody, requestPairing, readPairingState, type BridgeClient, type Pairing } from '../bridgeClient.ts';
import { tokenVariable } from '../../host/clientTokens.ts';

const me = z.looseObject({ name: z.string(), waitingApprovals: z.int() });
const standing = z.looseObject({ allowance: z.looseObject({ remaining: z.int() }) });

/** Shows whether the companion runs, whether this command line is paired, and the remaining allowance. */
export const statusCommand: Command = {
  takes: [],
  flags: {},
  help: '',
  run: async ({ bridge, out }) => {
    const { url, version } = await bridge.find();
    const { name, waitingApprovals } = parseAnswerBody(me, (await bridge.call('GET', '/companion/me')).body);
    // Without a connection to the service, report the problem and still show the rest.
    const allowance = await bridge
      .call('GET', '/agent/me')
      .then(({ body }) => ({ remaining: parseAnswerBody(standing, body).allowance.remaining }))
      .catch((error: unknown) => ({ problem: toProblemView(error) }));
    const left =
      'problem' in allowance ? allowance.problem.sentence : `${allowance.remaining} listings left in this period.`;
    out.result(
      [
        `Listing Companion ${version} is running at ${url}.`,
        `Paired as ${toTerminalText(name)}; ${waitingApprovals} questions wait for the person.`,
        left,
      ],
      { running: true, url, version, pairedAs: name, waitingApprovals, ...allowance },
    );
    return 'ok';
  },
};

const refusals = {
  refused: () => new Problem('PAIRING_REFUSED', 'The person did not let this command line in.'),
  expired: () =>
    new Problem('PAIRING_EXPIRED', 'The person did not answer in time. Run "listing-companion pair" again.'),
};

/**
 * Polls until the person decides. Looks up the companion each time, because it may have ended and another program may
 * have its port.
 */
const awaitPairingToken = async (bridge: BridgeClient, pairing: Pairing): Promise<string> => {
  for (;;) {
    const { state, token } = await readPairingState(await bridge.find(), pairing);
    if (state === 'refused' || state === 'expired') throw refusals[state]();
    if (token !== undefined) return token;
    await wait(pairing.pollAfterMs);
  }
};

/** Requests a pairing, shows the code, and stores the token in the keychain. */
export const pairCommand: Command = {
  takes: [],
  flags: { name: { type: 'string' } },
  help: '  --name NAME          What the person sees; "Command line" when left out',
  run: async ({ bridge, out, flags }) => {
    const found = await bridge.find();
    const tokens = await bridge.tokens();
    const pairing = await requestPairing(found, typeof flags['name'] === 'string' ? flags['name'] : commandLineName);
    out.note(`Open Listing Companion, Assistants. Accept when it shows this code: ${pairing.code}`);
    const token = await awaitPairingToken(bridge, pairing);
    if (tokens.lasting) {
      await tokens.set(token);
      out.result(['Paired.'], { paired: true });
    } else {
      out.note(`No keychain keeps it here. Set this variable yourself, and keep it secret:`);
      out.result([`${tokenVariable}=${token}`], { paired: true, token });
    }
    return 'ok';
  },
};
