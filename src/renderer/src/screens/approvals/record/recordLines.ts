import * as z from 'zod';
import type { BatchView, HistoryRow } from '../../../api/call.ts';
import { i18n, t, type screens, translate } from '../../../i18n.ts';
import { escapedText } from '../../../components/text/UntrustedText.tsx';
import { fieldName } from '../Facts.tsx';
import { stateText } from '../approvalText.ts';
import { endText, rowStateOf, type AskedRow } from '../batch/batchRows.ts';

type Kind = keyof typeof screens.approvals.kind;

const isKind = (key: string): key is Kind => i18n.exists(`approvals.kind.${key}`);

const unseenName = (field: string): string =>
  fieldName(field) ??
  (field === 'bestOffer' ? translate({ key: 'facts.bestOffer' }, field) : `“${escapedText(field)}”`);

const unseen = z.array(z.string()).catch([]);
/** Returns the labels of the fields that reading the listing did not show. */
const unseenOf = ({ facts }: Pick<HistoryRow, 'facts'>): string[] =>
  unseen.parse(facts['unseen']).map((field) => unseenName(field));

/** Returns the text key of a row. Keys contain no dot. A withdrawal by the person has its own text. */
const kindOf = ({ kind, facts }: Pick<HistoryRow, 'kind' | 'facts'>): Kind | null => {
  if (kind === 'approval.withdraw' && facts['by'] === 'person') return 'approval_withdrawOwn';
  const isUnchecked = kind === 'approval.unchecked' || facts['code'] === 'NOT_CHECKED';
  if (isUnchecked) return unseenOf({ facts }).length > 0 ? 'approval_unchecked' : 'approval_uncheckedAll';
  const key = kind.replace('.', '_');
  return isKind(key) ? key : null;
};

const textOf = (row: HistoryRow, name: string): string | null => {
  const value = row.facts[name];
  return typeof value === 'string' && value !== '' ? value : null;
};

const actOf = (row: HistoryRow): string | null => {
  const act = textOf(row, 'act');
  return act && translate(row.says, act);
};

const plainKind = (kind: string): string => {
  const words = kind.replaceAll(/[._]/g, ' ');
  return words.charAt(0).toUpperCase() + words.slice(1);
};

/** Returns the act that the approval of a row requests; null if unknown. */
export const questionText = ({ act, says }: HistoryRow): string | null => (act === null ? null : translate(says, act));

/** Returns the subject of a row: the title of the listing or the name of the assistant. */
export const aboutOf = (row: HistoryRow): string | null => row.title ?? textOf(row, 'name') ?? textOf(row, 'copy');

/** Returns a record row as a sentence; an unknown kind is shown by its name. */
export const recordText = (row: HistoryRow): string => {
  const kind = kindOf(row);
  if (kind === null) return plainKind(row.kind);
  return t(`approvals.kind.${kind}`, {
    act: actOf(row) ?? t('approvals.record.something'),
    fields: unseenOf(row).join(', '),
  });
};

/** Returns the id of the approval that a row is about; null if there is none. */
export const approvalOf = (row: HistoryRow): string | null => textOf(row, 'approvalId');

/** Returns the id of the approval that the one of this row superseded; null if there is none. */
const replacedBy = (row: HistoryRow): string | null => textOf(row, 'before');

/**
 * One line of the record: an approval with its rows, newest first, or a single row. `approvalIds` also has the ids of
 * superseded approvals, newest first.
 */
export type RecordLine = { approvalIds: [string, ...string[]] | null; newest: HistoryRow; rows: HistoryRow[] };

/** Turns rows, newest first, into lines. All rows of one approval form one line at the position of its newest row. */
export const recordLines = (rows: readonly HistoryRow[]): RecordLine[] => {
  const questions = new Map<string, RecordLine>();
  const lines: RecordLine[] = [];
  for (const row of rows) {
    const approvalId = approvalOf(row);
    let line = approvalId === null ? undefined : questions.get(approvalId);
    if (line) line.rows.push(row);
    else {
      line = { approvalIds: approvalId === null ? null : [approvalId], newest: row, rows: [row] };
      if (approvalId !== null) questions.set(approvalId, line);
      lines.push(line);
    }
    const before = replacedBy(row);
    if (before === null || questions.has(before)) continue;
    line.approvalIds?.push(before);
    questions.set(before, line);
  }
  return lines;
};

/** The lines of one batch, newest first. */
export type BatchLines = { batchId: string; newest: HistoryRow; lines: RecordLine[] };

/** Merges the lines of each batch into one at the position of its newest line. */
export const withBatches = (lines: readonly RecordLine[]): (RecordLine | BatchLines)[] => {
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

export const askedRows = ({ rows }: Pick<BatchView, 'rows'>): AskedRow[] =>
  rows.filter((row): row is AskedRow => row.approval !== null);

const none: ReadonlySet<string> = new Set();

/**
 * Returns the state of a batch: one text if nothing was done and all rows share the reason, else the number of rows by
 * outcome.
 */
export const batchStand = (batch: BatchView): string => {
  const rows = askedRows(batch);
  const [reason, ...more] = new Set(rows.map(({ approval }) => stateText(approval)));
  const isLeft = rows.every((row) => rowStateOf(row, false, none) === 'left');
  return reason !== undefined && more.length === 0 && isLeft ? reason : endText(batch, none);
};
