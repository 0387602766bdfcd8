import type { ApprovalView, BatchRow, BatchView } from '../../../api/types.ts';
import { kindOf } from './kindOf.ts';
import { t } from '../../../i18n/t.ts';
import { asked } from '../../../parts/promptWords.ts';

/** Where one line of a batch stands. `ask` can be ticked; `left` was not part of the yes. */
export type Stand = 'problem' | 'ask' | 'left' | 'waiting' | 'sending' | 'done' | 'failed' | 'unsure';

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

/** Whether a yes was given and is being carried out. */
export const isSending = ({ state }: Pick<BatchView, 'state'>): boolean => state === 'sending' || state === 'stopping';

/** Where a line stands; while others are sent, one that still waits was either left out or has its turn to come. */
export const standOf = (row: BatchRow, sending: boolean, off: ReadonlySet<string>): Stand => {
  if (!row.approval) return 'problem';
  const stand = stands[row.approval.state];
  if (stand !== 'ask' || !sending) return stand;
  return off.has(row.listingId) ? 'left' : 'waiting';
};

type Asked = BatchRow & { approval: ApprovalView };

/** The lines that the yes would be given to. */
export const tickedOf = (rows: readonly BatchRow[], off: ReadonlySet<string>): Asked[] =>
  rows.filter((row): row is Asked => row.approval?.state === 'pending' && !off.has(row.listingId));

/** What is shown of all lines, as one text: when it differs, the yes has to wait again. */
export const shownOf = ({ batchId, rows }: BatchView): string =>
  [batchId, ...rows.map(({ approval }) => (approval ? `${approval.digest} ${approval.shownAt}` : ''))].join('\n');

/** Fee notices that the yes also agrees to, each once. */
export const noticesOf = (rows: readonly Asked[]): string[] => [
  ...new Set(
    rows.flatMap(({ approval }) => (approval.prompt.feeNotice === null ? [] : asked(approval.prompt, 'feeNotice'))),
  ),
];

/** Sentences that the lines have in common, each once. */
export const onceOf = (rows: readonly Asked[], which: 'consequence' | 'undo'): string[] => [
  ...new Set(rows.map(({ approval }) => asked(approval.prompt, which))),
];

const first: readonly Stand[] = ['ask', 'failed', 'problem', 'unsure'];

/** The lines as they were asked for; once it is over, what needs a look comes first. */
export const inOrder = (batch: BatchView, off: ReadonlySet<string>): readonly BatchRow[] => {
  if (batch.state !== 'over') return batch.rows;
  const rank = (row: BatchRow): number => {
    const at = first.indexOf(standOf(row, false, off));
    return at === -1 ? first.length : at;
  };
  return [...batch.rows].sort((a, b) => rank(a) - rank(b));
};

type End = Exclude<Stand, 'problem'> | 'doneOther' | 'failedOther';

/** How many lines ended in which way, in words: "3 published, 1 not published". */
export const endWords = (batch: BatchView, off: ReadonlySet<string>): string => {
  const counts = new Map<Stand, number>();
  for (const row of batch.rows) {
    const stand = standOf(row, isSending(batch), off);
    counts.set(stand, (counts.get(stand) ?? 0) + 1);
  }
  const isPublish = kindOf(batch) === 'publish';
  const say = (end: End, ...which: Stand[]): string[] => {
    const count = which.reduce((sum, stand) => sum + (counts.get(stand) ?? 0), 0);
    return count === 0 ? [] : [t(`approvals.batch.end.${end}`, { count })];
  };
  return [
    ...say(isPublish ? 'done' : 'doneOther', 'done'),
    ...say('sending', 'sending'),
    ...say('waiting', 'waiting'),
    ...say(isPublish ? 'failed' : 'failedOther', 'failed', 'problem'),
    ...say('unsure', 'unsure'),
    ...say('ask', 'ask'),
    ...say('left', 'left'),
  ].join(', ');
};
