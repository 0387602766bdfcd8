import type { HistoryRow } from '../../../src/core/approvals/ledger/history.ts';

const kinds: readonly (readonly [string, Record<string, unknown>])[] = [
  ['approval.asked', { by: 'ast_1', route: 'publishListing', act: 'Publish on the US site' }],
  ['approval.approve', { digest: 'digest-1' }],
  ['approval.send', { route: 'publishListing' }],
  ['approval.answer', { route: 'publishListing', code: null, url: 'https://market.example/listing/12' }],
  ['approval.asked', { by: 'person', route: 'endListing', act: 'End the listing on the German site' }],
  ['approval.decline', { why: 'no' }],
  ['approval.asked', { by: 'ast_2', route: 'reviseListing', act: 'Change the live listing on the German site' }],
  ['approval.replaced', { before: 'apr_00' }],
  ['approval.expire', {}],
  ['approval.refuse', { route: 'publishListing', code: 'MARKET_REFUSED' }],
  ['assistant.paused', { assistantId: 'ast_2', name: 'Garage helper' }],
];

type Approval = NonNullable<HistoryRow['approval']>;

const claude: Approval['by'] = { kind: 'assistant', assistantId: 'ast_1', name: 'Claude Desktop' };
const garage: Approval['by'] = { kind: 'assistant', assistantId: 'ast_2', name: 'Garage helper' };
const fee: Approval['money'] = {
  ...{ state: 'fee', currency: 'USD', totalMinor: 35, reason: null, quotedAt: 0 },
  lines: [{ name: 'Insertion', amountMinor: 35 }],
};
const germanSite = 'the German site';

/** The approvals of the story. */
const questions: readonly (Approval & { act: string })[] = [
  { act: 'Publish on the US site', route: 'publishListing', state: 'done', by: claude, outcome: null, money: fee },
  {
    ...{ act: `End the listing on ${germanSite}`, route: 'endListing', state: 'declined' },
    ...{ by: { kind: 'person' }, outcome: null, money: null },
  },
  {
    ...{ act: `Change the live listing on ${germanSite}`, route: 'reviseListing', state: 'expired' },
    ...{ by: garage, outcome: null, money: null },
  },
  { act: 'Publish on the US site', route: 'publishListing', state: 'failed', by: claude, outcome: null, money: fee },
];
/** The approval that each row of the story belongs to; null for a row without an approval. */
const questionOfStep = [0, 0, 0, 0, 1, 1, 2, 2, 2, 3, null];

export const askersOfRecord: Approval['by'][] = [{ kind: 'person' }, claude, garage];

/** For example "2026-03-09". */
export const formatFakeDay = (at: number): string => new Date(at).toLocaleDateString('sv');

/** Creates a history of 120 rows, newest first. */
export const fakeRecord = (count = 120): HistoryRow[] =>
  Array.from({ length: count }, (_, index) => {
    const step = (count - index - 1) % kinds.length;
    const story = Math.floor((count - index - 1) / kinds.length);
    const [kind, facts] = kinds[step] ?? ['approval.asked', {}];
    const question = questionOfStep[step] ?? null;
    const { act = null, ...approval } = questions[question ?? questions.length] ?? {};
    const at = Date.now() - index * 900_000;
    return {
      ...{ seq: count - index, at, day: formatFakeDay(at), kind, act },
      facts: { ...(question === null ? {} : { approvalId: `apr_0${story}${question}` }), ...facts },
      approval: 'state' in approval ? approval : null,
      title: kind.startsWith('assistant') ? null : 'Vintage Red Fox Ceramic Figurine, Hand Painted, 12 cm, Sitting',
      photoUrl: kind.startsWith('assistant') ? null : '/photos/fox-0/thumb',
    };
  });

type RecordFilter = { answer?: 'yes' | 'no' | 'waiting' | undefined; askerId?: string | undefined };

/** Returns whether a row matches the filter, as the core decides it. */
export const matchesRecordFilter = ({ approval, facts }: HistoryRow, { answer, askerId }: RecordFilter): boolean => {
  const isNo = ['declined', 'expired', 'withdrawn'].includes(approval?.state ?? '');
  const isWaiting = approval?.state === 'pending';
  const given = isWaiting ? 'waiting' : isNo ? 'no' : 'yes';
  if (answer !== undefined && (approval === null || given !== answer)) return false;
  const id = approval?.by.kind === 'assistant' ? approval.by.assistantId : approval?.by.kind;
  return askerId === undefined || id === askerId || facts['assistantId'] === askerId;
};

/** Returns one sum for each day that has fees. */
export const sumFakeFees = (rows: readonly HistoryRow[]) => {
  const paid = rows.filter(({ kind, approval }) => kind === 'approval.answer' && approval?.state === 'done');
  return [...new Set(paid.map(({ day }) => day))].map((day) => ({
    ...{ day, currency: 'USD' },
    totalMinor: paid
      .filter((row) => row.day === day)
      .reduce((sum, { approval }) => sum + (approval?.money?.totalMinor ?? 0), 0),
  }));
};
