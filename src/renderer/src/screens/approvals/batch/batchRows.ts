import type { ApprovalView, BatchRow, BatchView, Prompt, Money } from '../../../api/call.ts';
import { screens, t } from '../../../i18n.ts';
import {
  formatPromptPart,
  getPromptAction,
  isContradictedByListing,
  isInUndoWindow,
  isSuccessUnchecked,
  type PromptAction,
} from '../approvalText.ts';
import { formatMinorAmount } from '../../../components/text/format.ts';

export type RowWithApproval = BatchRow & { approval: ApprovalView };

/** `name` is the name of the action in the prompt. It is shown if `act` is `other`. */
export type BatchGroup = { route: BatchRow['route']; act: PromptAction; name: string; rows: BatchRow[] };

const actOrder: readonly PromptAction[] = ['publish', 'change', 'other', 'end', 'delete'];

const formatGroupAction = (rows: readonly BatchRow[]): string => {
  const prompt = rows.find(({ approval }) => approval !== null)?.approval?.prompt;
  return prompt ? formatPromptPart(prompt, 'act') : '';
};

/** Irreversible actions come last. */
export const groupRowsByRoute = (rows: readonly BatchRow[]): BatchGroup[] => {
  const routes = [...new Set(rows.map(({ route }) => route))];
  return routes
    .map((route) => {
      const own = rows.filter((row) => row.route === route);
      return { route, act: getPromptAction(route), name: formatGroupAction(own), rows: own };
    })
    .sort((a, b) => actOrder.indexOf(a.act) - actOrder.indexOf(b.act));
};

/** Counts only the rows in `counted`. For example "Publish 6 listings" or "Publish 5 of 6". */
export const formatGroupHeading = ({ route, act, name, rows }: BatchGroup, counted: readonly BatchRow[]): string => {
  const count = counted.filter((row) => row.route === route).length;
  const of = rows.length;
  if (count < of) return t(`approvals.batch.headOf.${act}`, { act: name, count, of });
  return act === 'other'
    ? t('approvals.batch.head.other', { act: name, count })
    : t(`approvals.batch.head.${act}`, { count });
};

export const formatTickLabel = (group: Pick<BatchGroup, 'act' | 'name'>, name: string): string =>
  t(`approvals.batch.tick.${group.act}`, { act: group.name, name });

/** For example "Publish 4, end 2". */
export const formatBatchActions = (groups: readonly BatchGroup[]): string =>
  groups
    .filter(({ rows }) => rows.length > 0)
    .map(({ act, name, rows: { length: count } }, at) =>
      t(`approvals.batch.${at === 0 ? 'first' : 'next'}.${act}`, { act: name, count }),
    )
    .join(', ');

export const isPublishOnlyBatch = (rows: readonly BatchRow[]): boolean =>
  rows.every(({ route }) => getPromptAction(route) === 'publish');

/** For example "End 2, delete 1: in 4 s". */
export const formatBatchCountdown = ({ rows }: Pick<BatchView, 'rows'>, s: number): string => {
  const held = rows.filter(({ approval }) => approval?.state === 'approved');
  return t('approvals.hold.several', { acts: formatBatchActions(groupRowsByRoute(held)), s });
};

/** `ask`: the row can be ticked. `left`: the row is not part of the approval. */
export type RowState =
  | 'problem'
  | 'ask'
  | 'left'
  | 'waiting'
  | 'held'
  | 'sending'
  | 'done'
  | 'unchecked'
  | 'failed'
  | 'unsure'
  | 'takenBack';

const rowStates: Readonly<Record<ApprovalView['state'], RowState>> = {
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

const getApprovalRowState = (approval: ApprovalView): RowState => {
  if (isInUndoWindow(approval)) return 'held';
  if (isSuccessUnchecked(approval)) return 'unchecked';
  if (isContradictedByListing(approval)) return 'unsure';
  return approval.outcome?.code === 'TAKEN_BACK' ? 'takenBack' : rowStates[approval.state];
};

export const isBatchInFlight = ({ state }: Pick<BatchView, 'state'>): boolean =>
  state === 'sending' || state === 'stopping' || state === 'held';

export const noUnticked: ReadonlySet<string> = new Set();

export const isRowWeak = ({ warnings }: Pick<BatchRow, 'warnings'>): boolean => warnings.length > 0;

/** The rows that the person ticked or unticked themselves. */
export type TickChoices = ReadonlyMap<string, boolean>;

/**
 * Returns the rows that are not ticked. A weak row of the person's own batch is unticked until the person ticks it. In an
 * assistant's batch it stays ticked, because an unticked row is declined.
 */
export const findUntickedRows = (
  { by, rows }: Pick<BatchView, 'by' | 'rows'>,
  choices: TickChoices,
  accepted: ReadonlySet<string>,
): ReadonlySet<string> => {
  const isTickedRow = (row: BatchRow): boolean =>
    choices.get(row.listingId) ?? (by.kind === 'assistant' || !isRowWeak(row) || accepted.has(row.listingId));
  const unticked = rows.filter((row) => !isTickedRow(row));
  return unticked.length === 0 ? noUnticked : new Set(unticked.map(({ listingId }) => listingId));
};

/** Returns the next weak row that waits for the person. After the last row, it starts at the top. Null without such a row. */
export const findNextWeakRow = (rows: readonly BatchRow[], from: string | null): BatchRow | null => {
  const at = rows.findIndex(({ listingId }) => listingId === from);
  const isWeakAndAsked = (row: BatchRow): boolean => isRowWeak(row) && row.approval?.state === 'pending';
  return [...rows.slice(at + 1), ...rows.slice(0, at + 1)].find(isWeakAndAsked) ?? null;
};

/** While the batch is sent, a pending row is either unticked or queued. */
export const getBatchRowState = (row: BatchRow, sending: boolean, off: ReadonlySet<string>): RowState => {
  if (!row.approval) return 'problem';
  const stand = getApprovalRowState(row.approval);
  if (stand !== 'ask' || !sending) return stand;
  return off.has(row.listingId) ? 'left' : 'waiting';
};

export const filterTickedRows = (rows: readonly BatchRow[], off: ReadonlySet<string>): RowWithApproval[] =>
  rows.filter((row): row is RowWithApproval => row.approval?.state === 'pending' && !off.has(row.listingId));

const statesNotSent: readonly RowState[] = ['problem', 'ask', 'left'];

/** Returns the rows that the approval covers; all rows if it covers none. */
export const listCountedRows = (batch: BatchView, off: ReadonlySet<string>): readonly BatchRow[] => {
  const { state, rows } = batch;
  const isAsking = state === 'waiting' || (!isBatchInFlight(batch) && filterTickedRows(rows, off).length > 0);
  if (isAsking) return filterTickedRows(rows, off);
  const given = rows.filter((row) => !statesNotSent.includes(getBatchRowState(row, isBatchInFlight(batch), off)));
  return given.length > 0 ? given : rows;
};

/** For example "Publish 4, end 2". */
export const formatBatchHeading = (batch: BatchView, off: ReadonlySet<string>): string => {
  const counted = listCountedRows(batch, off);
  const [first, ...more] = groupRowsByRoute(batch.rows);
  const several = more.length > 0 ? formatBatchActions(groupRowsByRoute(counted)) : '';
  return several || !first ? several : formatGroupHeading(first, counted);
};

/** The version changes with the visible content of a row. A changed version disarms the approve button. */
export const getVisibleContentVersion = ({ batchId, rows }: BatchView): string =>
  [batchId, ...rows.map(({ approval }) => (approval ? `${approval.digest} ${approval.shownAt}` : ''))].join('\n');

export const listFeeNotices = (rows: readonly RowWithApproval[]): string[] => [
  ...new Set(
    rows.flatMap(({ approval }) =>
      approval.prompt.feeNotice === null ? [] : formatPromptPart(approval.prompt, 'feeNotice'),
    ),
  ),
];

type PluralSentence = keyof typeof screens.approvals.batch.many;
const hasPluralSentence = (name: string): name is PluralSentence => Object.hasOwn(screens.approvals.batch.many, name);

const formatSharedSentence = (prompt: Prompt, which: 'consequence' | 'undo', count: number): string => {
  const name = prompt.says?.[which]?.key.replace(/^prompts\./, '') ?? '';
  return count > 1 && hasPluralSentence(name) ? t(`approvals.batch.many.${name}`) : formatPromptPart(prompt, which);
};

/** Returns each sentence once. A sentence of several rows is in the plural. */
export const listCommonSentences = (rows: readonly BatchRow[], which: 'consequence' | 'undo'): string[] => {
  const prompts = rows.flatMap(({ approval }) => (approval ? [approval.prompt] : []));
  const texts = prompts.map((prompt) => formatPromptPart(prompt, which));
  // `Map.groupBy` is missing in some supported browsers, so this code groups the sentences itself.
  return prompts.flatMap((prompt, at) => {
    const count = texts.filter((text) => text === texts[at]).length;
    return texts.indexOf(texts[at] ?? '') === at ? [formatSharedSentence(prompt, which, count)] : [];
  });
};

const statesShownFirst: readonly RowState[] = ['ask', 'failed', 'problem', 'unsure', 'unchecked'];

/** In a finished batch, rows that need attention come first. */
export const orderBatchRows = (
  { state }: Pick<BatchView, 'state'>,
  rows: readonly BatchRow[],
  off: ReadonlySet<string>,
): readonly BatchRow[] => {
  if (state !== 'over') return rows;
  const rankRowState = (row: BatchRow): number => {
    const at = statesShownFirst.indexOf(getBatchRowState(row, false, off));
    return at === -1 ? statesShownFirst.length : at;
  };
  return [...rows].sort((a, b) => rankRowState(a) - rankRowState(b));
};

type RowOutcome = Exclude<RowState, 'problem' | 'done'> | PromptAction | 'failedOther';

type OutcomeCount = { end: RowOutcome; count: number };

const countBatchOutcomes = (batch: BatchView, off: ReadonlySet<string>): OutcomeCount[] => {
  const endings = batch.rows.map((row) => ({
    act: getPromptAction(row.route),
    stand: getBatchRowState(row, isBatchInFlight(batch), off),
  }));
  const countRowsInState = (...which: RowState[]): number =>
    endings.filter(({ stand }) => which.includes(stand)).length;
  const countDoneActions = (act: PromptAction): number =>
    endings.filter((ended) => ended.stand === 'done' && ended.act === act).length;
  const acts: readonly PromptAction[] = ['publish', 'change', 'other', 'end', 'delete'];
  const counts: OutcomeCount[] = [
    ...acts.map((act) => ({ end: act, count: countDoneActions(act) })),
    ...(['unchecked', 'held', 'sending', 'waiting'] as const).map((end) => ({ end, count: countRowsInState(end) })),
    {
      end: isPublishOnlyBatch(batch.rows) ? 'failed' : 'failedOther',
      count: countRowsInState('failed', 'problem'),
    },
    ...(['unsure', 'takenBack', 'ask', 'left'] as const).map((end) => ({ end, count: countRowsInState(end) })),
  ];
  return counts.filter(({ count }) => count > 0);
};

const formatOutcomeCount = ({ end, count }: OutcomeCount): string => t(`approvals.batch.end.${end}`, { count });

export const formatBatchOutcome = (batch: BatchView, off: ReadonlySet<string>): string =>
  countBatchOutcomes(batch, off).map(formatOutcomeCount).join(', ');

const endsThatNeedThePerson: readonly RowOutcome[] = ['failed', 'failedOther', 'ask'];

/** For example "5 are live, 1 needs you". Null until the person has said yes for good. */
export const formatBatchResult = (batch: BatchView, off: ReadonlySet<string>): string | null => {
  if (batch.state === 'waiting' || batch.state === 'held') return null;
  const counts = countBatchOutcomes(batch, off);
  const needs = counts
    .filter(({ end }) => endsThatNeedThePerson.includes(end))
    .reduce((sum, { count }) => sum + count, 0);
  return [
    ...counts
      .filter(({ end }) => !endsThatNeedThePerson.includes(end))
      .map((one) =>
        one.end === 'publish' ? t('approvals.result.live', { count: one.count }) : formatOutcomeCount(one),
      ),
    ...(needs > 0 ? [t('approvals.result.needsYou', { count: needs })] : []),
  ].join(', ');
};

/** `totalMinor` is in the minor unit of the currency. `count` is the number of listings. */
export type CurrencySum = { currency: string; totalMinor: number; count: number };
/** Fees in different currencies are never added together. `free` and `unknown` are numbers of listings. */
export type FeeTotals = { sums: CurrencySum[]; free: number; unknown: number; count: number };

/** Returns one sum for each currency, in order of appearance. */
export const sumFeesByCurrency = (moneys: readonly (Money | null)[]): FeeTotals => {
  const sums = new Map<string, CurrencySum>();
  const totals: FeeTotals = { sums: [], free: 0, unknown: 0, count: moneys.length };
  for (const money of moneys) {
    if (money?.state === 'free') totals.free += 1;
    else if (money?.state !== 'fee' || money.totalMinor === null || money.currency === null) totals.unknown += 1;
    else {
      const before = sums.get(money.currency) ?? { currency: money.currency, totalMinor: 0, count: 0 };
      const totalMinor = before.totalMinor + money.totalMinor;
      sums.set(money.currency, { currency: money.currency, totalMinor, count: before.count + 1 });
    }
  }
  return { ...totals, sums: [...sums.values()] };
};

const noFee: Money = { state: 'free', currency: null, totalMinor: 0, lines: [], reason: null, quotedAt: 0 };

/** Returns null if the fee of a publish is unknown. Other actions are free. */
export const findRowFee = ({ approval: { prompt } }: RowWithApproval, { act }: Pick<BatchGroup, 'act'>): Money | null =>
  prompt.money ?? (act === 'publish' ? null : noFee);

/** Returns the rows that the yes of the person covers. */
export const listApprovedRows = (rows: readonly BatchRow[]): RowWithApproval[] =>
  rows.filter(
    (row): row is RowWithApproval =>
      row.approval !== null && ['approved', 'sending', 'done', 'unconfirmed'].includes(row.approval.state),
  );

export const sumRowFees = (rows: readonly RowWithApproval[]): FeeTotals =>
  sumFeesByCurrency(groupTickedRows(rows).flatMap((group) => group.asked.map((row) => findRowFee(row, group))));

/** For example "US$1.40 + €0.35". */
export const formatAmounts = (sums: readonly Pick<CurrencySum, 'currency' | 'totalMinor'>[]): string =>
  sums.map((sum) => formatMinorAmount(sum.totalMinor, sum.currency)).join(' + ');

type TickedGroup = BatchGroup & { asked: RowWithApproval[] };
const groupTickedRows = (rows: readonly RowWithApproval[]): TickedGroup[] =>
  groupRowsByRoute(rows).map((group) => ({ ...group, asked: rows.filter(({ route }) => route === group.route) }));

const formatActionWithFees = (act: string, { sums, free: freeCount, unknown, count }: FeeTotals): string => {
  if (freeCount === count) return t('approvals.batch.yes.allFree', { act });
  if (unknown === count) return t('approvals.batch.yes.unknown', { act });
  const amounts = formatAmounts(sums);
  return [
    amounts === '' ? act : t('approvals.batch.yes.for', { act, amounts }),
    ...(freeCount > 0 ? [t('approvals.batch.yes.free', { count: freeCount })] : []),
    ...(unknown > 0 ? [t('approvals.batch.yes.feesUnknown', { count: unknown })] : []),
  ].join(', ');
};

/** For example "Publish 4 for US$1.40, end 2". */
export const formatApproveLabel = (rows: readonly RowWithApproval[]): string => {
  if (rows.length === 0) return t('approvals.batch.yes.none');
  const parts = groupTickedRows(rows).map((group, at) => {
    const { act, name, asked } = group;
    const words = t(`approvals.batch.${at === 0 ? 'first' : 'next'}.${act}`, { act: name, count: asked.length });
    const costs = act === 'publish' || asked.some(({ approval }) => approval.prompt.money !== null);
    return costs ? formatActionWithFees(words, sumFeesByCurrency(asked.map((row) => findRowFee(row, group)))) : words;
  });
  // If a part contains a comma, semicolons separate the parts.
  return parts.join(parts.slice(0, -1).some((part) => part.includes(', ')) ? '; ' : ', ');
};

/** For example "US$1.40 + €0.35". Without fees, returns "free" or "not checked". */
export const formatTotalsBriefly = ({ sums, unknown }: FeeTotals): string => {
  if (sums.length > 0) return formatAmounts(sums);
  return unknown > 0 ? t('approvals.fees.uncheckedShort') : t('approvals.fees.free');
};
