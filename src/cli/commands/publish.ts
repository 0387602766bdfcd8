import * as z from 'zod';
import { type Command, toTerminalText } from '../command.ts';
import { notCheckedCode, Problem } from '../../core/base/problem.ts';
import { parseAnswerBody, type BridgeClient } from '../bridgeClient.ts';
import { findOwnEntry } from '../../contract/untrusted.ts';

const approvalList = z.looseObject({
  approvals: z.array(z.looseObject({ id: z.string(), state: z.string(), summary: z.string() })),
});

export const approvalsCommand: Command = {
  takes: [],
  flags: {},
  help: '',
  run: async ({ bridge, out }) => {
    const { body } = await bridge.call('GET', '/companion/approvals');
    const rows = parseAnswerBody(approvalList, body).approvals;
    const lines = rows.map(({ id, state, summary }) => `${id}  ${state}  ${toTerminalText(summary, 100)}`);
    out.result(lines.length === 0 ? ['Nothing was asked.'] : lines, body);
    return 'ok';
  },
};

const approval = z.looseObject({
  id: z.string(),
  state: z.string(),
  summary: z.string(),
  expiresAt: z.string(),
  supersededBy: z.string().optional(),
  outcome: z.string().optional(),
  code: z.string().nullish(),
  liveUrl: z.string().nullish(),
  liveUrlNotChecked: z.string().nullish(),
});
type Approval = z.infer<typeof approval>;
const approvalAnswer = z.looseObject({ approval });

const unendedStates = new Set(['pending', 'approved', 'sending']);
const endingProblems: Readonly<Record<string, { code: string; sentence: string }>> = {
  declined: { code: 'PERSON_DECLINED', sentence: 'The person said no.' },
  expired: { code: 'APPROVAL_EXPIRED', sentence: 'The person did not answer in time.' },
  withdrawn: { code: 'APPROVAL_WITHDRAWN', sentence: 'The question was taken back.' },
  unconfirmed: {
    code: 'UNCONFIRMED',
    sentence: 'It is not known whether it happened. Look at the listing before you ask again.',
  },
};

const toPublishProblem = ({ state, code, outcome }: Approval): Problem => {
  const ending = findOwnEntry(endingProblems, state) ?? { code: 'NOT_DONE', sentence: 'It was not published.' };
  return new Problem(code ?? ending.code, toTerminalText(outcome ?? ending.sentence, 300));
};

const awaitApprovalDecision = async (bridge: BridgeClient, first: Approval): Promise<Approval> => {
  let current = first;
  while (unendedStates.has(current.state) || (current.state === 'superseded' && current.supersededBy !== undefined)) {
    const id = current.state === 'superseded' ? current.supersededBy : current.id;
    current = parseAnswerBody(
      approvalAnswer,
      (await bridge.call('GET', `/companion/approvals/${encodeURIComponent(id ?? '')}?wait=30`)).body,
    ).approval;
  }
  return current;
};

/** A page on an unknown host is not printed, because only the person may open such a page. */
const formatDoneLine = ({ code, outcome, liveUrl, liveUrlNotChecked }: Approval): string => {
  if (code === notCheckedCode)
    return toTerminalText(outcome ?? 'It could not be checked whether it was published.', 300);
  const said = toTerminalText(outcome ?? 'Published.', 300);
  if (liveUrlNotChecked)
    return `${said} Its page is on ${toTerminalText(liveUrlNotChecked, 200)}, which is new: open it in Listing Companion.`;
  return liveUrl ? `${said} ${toTerminalText(liveUrl, 200)}` : said;
};

export const publishCommand: Command = {
  takes: ['ID'],
  flags: { 'no-wait': { type: 'boolean' }, reason: { type: 'string' } },
  help: `  --no-wait            Ask, and do not wait for the answer (exit code 4)
  --reason TEXT        Why, shown to the person as your words

The person says yes or no in Listing Companion. Stopping this command leaves the question there.`,
  run: async ({ given: [id = ''], flags, bridge, out }) => {
    const why = flags['reason'];
    const headers: Record<string, string> =
      typeof why === 'string' ? { 'companion-reason': encodeURIComponent(why) } : {};
    const asked = await bridge.call('POST', `/market/publish/${encodeURIComponent(id)}`, { body: {}, headers });
    const first = parseAnswerBody(approvalAnswer, asked.body).approval;
    const summary = toTerminalText(first.summary, 160);
    if (flags['no-wait']) {
      out.result([`${summary}. It waits for the person: ${first.id}`], first);
      return 'waiting';
    }
    if (!out.json) out.note(`${summary}. Say yes or no in Listing Companion.`);
    const last = await awaitApprovalDecision(bridge, first);
    if (last.state !== 'done') throw toPublishProblem(last);
    const { id: approvalId, code = null, liveUrl: url = null, liveUrlNotChecked = null } = last;
    out.result([formatDoneLine(last)], { state: 'done', approvalId, code, url, liveUrlNotChecked });
    return 'ok';
  },
};
