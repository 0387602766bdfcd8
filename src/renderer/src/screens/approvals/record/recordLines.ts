import * as z from 'zod';
import { quotationMarks } from '../../../../../text/escapes.ts';
import type { BatchView, HistoryRow } from '../../../api/call.ts';
import { i18n, t, type screens, translateMessage } from '../../../i18n.ts';
import { escapeHiddenText } from '../../../components/text/UntrustedText.tsx';
import { findFieldLabel } from '../PromptFacts.tsx';
import { formatApprovalState, getPromptAction, isContradictedByListing, isSuccessUnchecked } from '../approvalText.ts';
import { formatBatchOutcome, getBatchRowState, noUnticked, type RowWithApproval } from '../batch/batchRows.ts';
import { formatFeeBriefly } from '../PromptFacts.tsx';

type RecordKind = keyof typeof screens.approvals.kind;

const isRecordKind = (key: string): key is RecordKind => i18n.exists(`approvals.kind.${key}`);

const formatUnseenField = (field: string): string =>
  findFieldLabel(field) ??
  (field === 'bestOffer' ? translateMessage({ key: 'facts.bestOffer' }, field) : `“${escapeHiddenText(field)}”`);

const unseenFields = z.array(z.string()).catch([]);
const listUnseenFields = ({ facts }: Pick<HistoryRow, 'facts'>): string[] =>
  unseenFields.parse(facts['unseen']).map((field) => formatUnseenField(field));

/**
 * Returns the text key for a row, or null if the kind is unknown. In text keys, an underscore replaces the dot of the
 * kind.
 */
const findRecordKind = ({ kind, facts }: Pick<HistoryRow, 'kind' | 'facts'>): RecordKind | null => {
  if (kind === 'approval.withdraw' && facts['by'] === 'person') return 'approval_withdrawOwn';
  const isUnchecked = kind === 'approval.unchecked' || facts['code'] === 'NOT_CHECKED';
  if (isUnchecked) return listUnseenFields({ facts }).length > 0 ? 'approval_unchecked' : 'approval_uncheckedAll';
  const key = kind.replace('.', '_');
  return isRecordKind(key) ? key : null;
};

const findFactText = (row: HistoryRow, name: string): string | null => {
  const value = row.facts[name];
  return typeof value === 'string' && value !== '' ? value : null;
};

const findRecordAction = (row: HistoryRow): string | null => {
  const act = findFactText(row, 'act');
  return act && translateMessage(row.says, act);
};

const formatUnknownKind = (kind: string): string => {
  const words = kind.replaceAll(/[._]/g, ' ');
  return words.charAt(0).toUpperCase() + words.slice(1);
};

export const formatRequestedAction = ({ act, says }: HistoryRow): string | null =>
  act === null ? null : translateMessage(says, act);

const quoteTitle = (title: string): string => {
  const text = title.replaceAll(quotationMarks, "'");
  return translateMessage({ key: 'notices.quoted', values: { text } }, `“${text}”`);
};

/** The history separates titles with a dot, so a title that contains one could look like two. */
const dots = /[·‧∙⋅•・]/;
const formatTitle = (title: string): string => (dots.test(title) ? quoteTitle(title) : title);
/** Returns the titles of one line. Several titles are quoted, so that none of them looks like two. */
export const formatTitles = (titles: readonly string[]): string =>
  titles.map(titles.length > 1 ? quoteTitle : formatTitle).join(' · ');

export const findRecordSubject = (row: HistoryRow): string | null =>
  (row.title && formatTitle(row.title)) ??
  formatConfirmedActs(row) ??
  findFactText(row, 'name') ??
  findFactText(row, 'copy') ??
  findFactText(row, 'service');

const yesFacts = z.object({
  evidence: z.object({}),
  proof: z.object({ kind: z.enum(['passkey', 'system', 'pin']) }).optional(),
});

/** Returns how the person gave the yes; null for other rows, and for rows of older versions. */
const formatConfirmation = ({ kind, facts }: HistoryRow): string | null => {
  const { data } = yesFacts.safeParse(facts);
  return kind === 'approval.approve' && data ? t(`proof.by.${data.proof?.kind ?? 'press'}`) : null;
};

/** Returns what the person confirmed, or did not confirm; null for other rows. */
const formatConfirmedActs = ({ about = [] }: HistoryRow): string | null =>
  about.length === 0
    ? null
    : about
        .map(({ act, says, title }) =>
          [translateMessage(says, act), title && formatTitle(title)].filter(Boolean).join(': '),
        )
        .join(' · ');

/** Returns how often an event was repeated within a minute, because only some of the repeats have a row. */
export const formatRepeats = ({ facts }: Pick<HistoryRow, 'facts'>): string | null => {
  const count = facts['count'];
  return typeof count === 'number' ? t('approvals.record.repeats', { count }) : null;
};

/** Returns what happened, without what it was about. */
export const formatRecordEvent = (row: HistoryRow): string => {
  const kind = findRecordKind(row);
  if (kind === null) return formatUnknownKind(row.kind);
  const words = t(`approvals.kind.${kind}`, {
    act: findRecordAction(row) ?? t('approvals.record.something'),
    fields: listUnseenFields(row).join(', '),
  });
  return [words, formatConfirmation(row)].filter((part) => part !== null).join(' · ');
};

export const formatRecordRow = (row: HistoryRow): string =>
  [formatRecordEvent(row), formatConfirmedActs(row), formatRepeats(row)].filter((part) => part !== null).join(' · ');

export const findApprovalId = (row: HistoryRow): string | null => findFactText(row, 'approvalId');

const findSupersededId = (row: HistoryRow): string | null => findFactText(row, 'before');

/** `approvalIds` also has the ids of superseded approvals, newest first. It is null for a row without an approval. */
export type RecordLine = { approvalIds: [string, ...string[]] | null; newest: HistoryRow; rows: HistoryRow[] };

/** Expects the newest row first. All rows of an approval become one line at the position of its newest row. */
export const groupRecordLines = (rows: readonly HistoryRow[]): RecordLine[] => {
  const linesByApproval = new Map<string, RecordLine>();
  const lines: RecordLine[] = [];
  for (const row of rows) {
    const approvalId = findApprovalId(row);
    let line = approvalId === null ? undefined : linesByApproval.get(approvalId);
    if (line) line.rows.push(row);
    else {
      line = { approvalIds: approvalId === null ? null : [approvalId], newest: row, rows: [row] };
      if (approvalId !== null) linesByApproval.set(approvalId, line);
      lines.push(line);
    }
    const before = findSupersededId(row);
    if (before === null || linesByApproval.has(before)) continue;
    line.approvalIds?.push(before);
    linesByApproval.set(before, line);
  }
  return lines;
};

export type BatchLines = { batchId: string; newest: HistoryRow; lines: RecordLine[] };

/** Each batch becomes one entry at the position of its newest line. */
export const mergeBatchLines = (lines: readonly RecordLine[]): (RecordLine | BatchLines)[] => {
  const batches = new Map<string, BatchLines>();
  return lines.flatMap((line): (RecordLine | BatchLines)[] => {
    const batchId = line.newest.batchId ?? null;
    if (batchId === null) return [line];
    const known = batches.get(batchId);
    if (known) {
      known.lines.push(line);
      return [];
    }
    const batch = { batchId, newest: line.newest, lines: [line] };
    batches.set(batchId, batch);
    return [batch];
  });
};

export const listRowsWithApproval = ({ rows }: Pick<BatchView, 'rows'>): RowWithApproval[] =>
  rows.filter((row): row is RowWithApproval => row.approval !== null);

/** `wrong`: the request failed, or its result is unknown or not what the person approved. */
export type RecordSign = 'yes' | 'no' | 'waiting' | 'wrong';
export type RecordOutcome = { sign: RecordSign; word: string; amount: string; isPaid: boolean };

type RecordApproval = NonNullable<HistoryRow['approval']>;

const signs: Readonly<Record<RecordApproval['state'], RecordSign>> = {
  ...{ pending: 'waiting', approved: 'yes', sending: 'yes', done: 'yes' },
  ...{ declined: 'no', expired: 'no', withdrawn: 'no', superseded: 'no', failed: 'wrong', unconfirmed: 'wrong' },
};

const formatDoneWord = (route: RecordApproval['route']): string => {
  const action = getPromptAction(route);
  return action === 'publish' ? t('approvals.record.published') : t(`approvals.batch.stand.${action}`);
};

/** A request that was certainly not done cost nothing, so its amount is left out. */
export const findRecordOutcome = (approval: RecordApproval, newestKind: string | null): RecordOutcome => {
  const { state, route, money } = approval;
  const isDoubtful = isContradictedByListing(approval) || isSuccessUnchecked(approval);
  const sign = isDoubtful ? 'wrong' : signs[state];
  const isPaid = state === 'done';
  const amount = sign === 'no' || state === 'failed' ? '' : formatFeeBriefly(money);
  if (newestKind === 'approval.differs') return { sign: 'wrong', word: t('approvals.differs.short'), amount, isPaid };
  const word = isPaid && !isDoubtful ? formatDoneWord(route) : formatApprovalState(approval);
  return { sign, word, amount, isPaid };
};

/** Groups entries by the day of their newest row, in their order. */
export const groupEntriesByDay = <Entry extends { newest: HistoryRow }>(
  entries: readonly Entry[],
): { day: string; at: number; entries: Entry[] }[] => {
  const days = new Map<string, { day: string; at: number; entries: Entry[] }>();
  for (const entry of entries) {
    const { day, at } = entry.newest;
    const known = days.get(day);
    if (known) known.entries.push(entry);
    else days.set(day, { day, at, entries: [entry] });
  }
  return [...days.values()];
};

/**
 * If nothing was done and all rows have the same reason, returns the reason; otherwise returns the number of rows by
 * outcome.
 */
export const formatBatchState = (batch: BatchView): string => {
  const rows = listRowsWithApproval(batch);
  const [reason, ...more] = new Set(rows.map(({ approval }) => formatApprovalState(approval)));
  const isLeft = rows.every((row) => getBatchRowState(row, false, noUnticked) === 'left');
  return reason !== undefined && more.length === 0 && isLeft ? reason : formatBatchOutcome(batch, noUnticked);
};
