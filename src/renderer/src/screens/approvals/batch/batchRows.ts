import type { ApprovalView, BatchRow, BatchView } from '../../../api/types.ts';
import { t } from '../../../i18n/t.ts';
import { asked } from '../../../parts/promptWords.ts';
import { actOf, type Act } from '../acts.ts';
import { isHeld } from '../stateWords.ts';
import { arePublishes, type AskedRow } from './batchGroups.ts';

/** Where one line of a batch stands. `ask` can be ticked; `left` was not part of the yes. */
export type Stand =
  'problem' | 'ask' | 'left' | 'waiting' | 'held' | 'sending' | 'done' | 'failed' | 'unsure' | 'takenBack';

const stands: Readonly<Record<ApprovalView['state'], Stand>> = {
  pending: 'ask',
  approved: 'waiting',
  sending: 'sending',
  done: 'done',
  failed: 'failed',
  unconfirmed: 'unsure',
  declined: 'left',
  expired: 'left',
  withdrawn: 'left',
  superseded: 'failed',
};

const ofApproval = (approval: ApprovalView): Stand => {
  if (isHeld(approval)) return 'held';
  return approval.outcome?.code === 'TAKEN_BACK' ? 'takenBack' : stands[approval.state];
};

/** Whether a yes was given and is being carried out, or held back before it. */
export const isSending = ({ state }: Pick<BatchView, 'state'>): boolean =>
  state === 'sending' || state === 'stopping' || state === 'held';

/** Where a line stands; while others are sent, one that still waits was either left out or has its turn to come. */
export const standOf = (row: BatchRow, sending: boolean, off: ReadonlySet<string>): Stand => {
  if (!row.approval) return 'problem';
  const stand = ofApproval(row.approval);
  if (stand !== 'ask' || !sending) return stand;
  return off.has(row.listingId) ? 'left' : 'waiting';
};

/** The lines that the yes would be given to. */
export const tickedOf = (rows: readonly BatchRow[], off: ReadonlySet<string>): AskedRow[] =>
  rows.filter((row): row is AskedRow => row.approval?.state === 'pending' && !off.has(row.listingId));

/** What is shown of all lines, as one text: when it differs, the yes has to wait again. */
export const shownOf = ({ batchId, rows }: BatchView): string =>
  [batchId, ...rows.map(({ approval }) => (approval ? `${approval.digest} ${approval.shownAt}` : ''))].join('\n');

/** Fee notices that the yes also agrees to, each once. */
export const noticesOf = (rows: readonly AskedRow[]): string[] => [
  ...new Set(
    rows.flatMap(({ approval }) => (approval.prompt.feeNotice === null ? [] : asked(approval.prompt, 'feeNotice'))),
  ),
];

/** Sentences that the lines have in common, each once. */
export const onceOf = (rows: readonly BatchRow[], which: 'consequence' | 'undo'): string[] => [
  ...new Set(rows.flatMap(({ approval }) => (approval ? [asked(approval.prompt, which)] : []))),
];

const first: readonly Stand[] = ['ask', 'failed', 'problem', 'unsure'];

/** The lines as they were asked for; once it is over, what needs a look comes first. */
export const inOrder = (
  { state }: Pick<BatchView, 'state'>,
  rows: readonly BatchRow[],
  off: ReadonlySet<string>,
): readonly BatchRow[] => {
  if (state !== 'over') return rows;
  const rank = (row: BatchRow): number => {
    const at = first.indexOf(standOf(row, false, off));
    return at === -1 ? first.length : at;
  };
  return [...rows].sort((a, b) => rank(a) - rank(b));
};

type End = Exclude<Stand, 'problem' | 'done'> | Act | 'failedOther';

/** How many lines ended in which way, in words: "3 published, 1 ended, 1 not done". */
export const endWords = (batch: BatchView, off: ReadonlySet<string>): string => {
  const all = batch.rows.map((row) => ({ act: actOf(row.route), stand: standOf(row, isSending(batch), off) }));
  const say = (end: End, count: number): string[] => (count === 0 ? [] : [t(`approvals.batch.end.${end}`, { count })]);
  const standing = (...which: Stand[]): number => all.filter(({ stand }) => which.includes(stand)).length;
  const done = (act: Act): number => all.filter((one) => one.stand === 'done' && one.act === act).length;
  const acts: readonly Act[] = ['publish', 'change', 'other', 'end', 'delete'];
  return [
    ...acts.flatMap((act) => say(act, done(act))),
    ...say('held', standing('held')),
    ...say('sending', standing('sending')),
    ...say('waiting', standing('waiting')),
    ...say(arePublishes(batch.rows) ? 'failed' : 'failedOther', standing('failed', 'problem')),
    ...say('unsure', standing('unsure')),
    ...say('takenBack', standing('takenBack')),
    ...say('ask', standing('ask')),
    ...say('left', standing('left')),
  ].join(', ');
};
