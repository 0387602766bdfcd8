import * as z from 'zod';
import { toProblemView, Problem } from '../../core/base/problem.ts';
import { type Command, toTerminalText } from '../command.ts';
import { setTimeout as wait } from 'node:timers/promises';
import { commandLineName } from '../../core/base/similarNames.ts';
import { parseAnswerBody, requestPairing, readPairingState, type BridgeClient, type Pairing } from '../bridgeClient.ts';
import { tokenVariable } from '../../host/clientTokens.ts';

const me = z.looseObject({ name: z.string(), waitingApprovals: z.int() });
const standing = z.looseObject({ allowance: z.looseObject({ remaining: z.int() }) });

export const statusCommand: Command = {
  takes: [],
  flags: {},
  help: '',
  run: async ({ bridge, out }) => {
    const { url, version } = await bridge.find();
    const { name, waitingApprovals } = parseAnswerBody(me, (await bridge.call('GET', '/companion/me')).body);
    // If the service cannot be reached, the command still shows the state of the companion.
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

/** Another program might use the port after the companion ends, so the address is read before each request. */
const awaitPairingToken = async (bridge: BridgeClient, pairing: Pairing): Promise<string> => {
  for (;;) {
    const { state, token } = await readPairingState(await bridge.find(), pairing);
    if (state === 'refused' || state === 'expired') throw refusals[state]();
    if (token !== undefined) return token;
    await wait(pairing.pollAfterMs);
  }
};

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
