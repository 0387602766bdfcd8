import * as z from 'zod';
import type { Command } from '../command.ts';
import { shown } from '../output.ts';

const approvalList = z.looseObject({
  approvals: z.array(z.looseObject({ id: z.string(), state: z.string(), summary: z.string() })),
});

/** What this command line asked of the person, and how it stands. */
export const approvals: Command = {
  takes: [],
  flags: {},
  help: '',
  run: async ({ bridge, out }) => {
    const { body } = await bridge.call('GET', '/companion/approvals');
    const rows = approvalList.parse(body).approvals;
    const lines = rows.map(({ id, state, summary }) => `${id}  ${state}  ${shown(summary, 100)}`);
    out.result(lines.length === 0 ? ['Nothing was asked.'] : lines, body);
    return 'ok';
  },
};
