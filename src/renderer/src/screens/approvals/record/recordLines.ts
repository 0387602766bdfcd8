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
/** The fields that reading does not show, by their names. */
const unseenOf = ({ facts }: Pick<HistoryRow, 'facts'>): string[] =>
  unseen.parse(facts['unseen']).map((field) => unseenName(field));

/** A text of the languages has no point in its key. Whoever asked takes a question back: the assistant or the person. */
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

/** What the question of a row asks for; null where that is not known. */
export const questionText = ({ act, says }: HistoryRow): string | null => (act === null ? null : translate(says, act));

/** What a row is about: the title of the listing, or the name that an assistant gave itself. */
export const aboutOf = (row: HistoryRow): string | null => row.title ?? textOf(row, 'name') ?? textOf(row, 'copy');

/** A row of the record as a sentence; a kind that is not known here is named as it is. */
export const recordText = (row: HistoryRow): string => {
  const kind = kindOf(row);
  if (kind === null) return plainKind(row.kind);
  return t(`approvals.kind.${kind}`, {
    act: actOf(row) ?? t('approvals.record.something'),
    fields: unseenOf(row).join(', '),
  });
};

/** The question that a row is about, which can be opened. */
export const approvalOf = (row: HistoryRow): string | null => textOf(row, 'approvalId');

/** The question whose place that of this row has taken. */
const replacedBy = (row: HistoryRow): string | null => textOf(row, 'before');

/**
 * One line of the history: a question with the rows about it that were found, newest first, or a row by itself. A question
 * whose prompt was replaced has an id for each of them, the newest first.
 */
export type RecordLine = { approvalIds: [string, ...string[]] | null; newest: HistoryRow; rows: HistoryRow[] };

/** The rows, newest first, as lines: all rows of a question are one line, where its newest row is. */
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

/** The lines of one batch that were found, newest first. */
export type BatchLines = { batchId: string; newest: HistoryRow; lines: RecordLine[] };

/** All lines of a batch are one, where its newest is. */
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

/** The rows of a batch that were asked. */
export const askedRows = ({ rows }: Pick<BatchView, 'rows'>): AskedRow[] =>
  rows.filter((row): row is AskedRow => row.approval !== null);

const none: ReadonlySet<string> = new Set();

/** How a batch stands: in one word where nothing of it was done for one reason, else how many of its rows ended how. */
export const batchStand = (batch: BatchView): string => {
  const rows = askedRows(batch);
  const [reason, ...more] = new Set(rows.map(({ approval }) => stateText(approval)));
  const isLeft = rows.every((row) => rowStateOf(row, false, none) === 'left');
  return reason !== undefined && more.length === 0 && isLeft ? reason : endText(batch, none);
};
