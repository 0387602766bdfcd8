import * as z from 'zod';
import { problemView } from '../../core/base/problem.ts';
import type { Command } from '../command.ts';
import { shown } from '../output.ts';

const me = z.looseObject({ name: z.string(), waitingApprovals: z.int() });
const standing = z.looseObject({ allowance: z.looseObject({ remaining: z.int() }) });

/** Is the companion running, is this command line paired, what is left of the allowance. */
export const status: Command = {
  takes: [],
  flags: {},
  help: '',
  run: async ({ bridge, out }) => {
    const { url, version } = await bridge.find();
    const { name, waitingApprovals } = me.parse((await bridge.call('GET', '/companion/me')).body);
    // Without a connection to the service the rest still holds.
    const allowance = await bridge
      .call('GET', '/agent/me')
      .then(({ body }) => ({ remaining: standing.parse(body).allowance.remaining }))
      .catch((error: unknown) => ({ problem: problemView(error) }));
    const left =
      'problem' in allowance ? allowance.problem.sentence : `${allowance.remaining} listings left in this period.`;
    out.result(
      [
        `Listing Companion ${version} is running at ${url}.`,
        `Paired as ${shown(name)}; ${waitingApprovals} questions wait for the person.`,
        left,
      ],
      { running: true, url, version, pairedAs: name, waitingApprovals, ...allowance },
    );
    return 'ok';
  },
};
