import type { HistoryRow } from '../../../api/types.ts';
import { i18n, t, type screens } from '../../../i18n/t.ts';
import { translate } from '../../../i18n/language.ts';

type Kind = keyof typeof screens.approvals.kind;

const isKind = (key: string): key is Kind => i18n.exists(`approvals.kind.${key}`);

/** A text of the languages has no point in its key. */
const kindOf = (kind: string): Kind | null => {
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
export const questionWords = ({ act, says }: HistoryRow): string | null => (act === null ? null : translate(says, act));

/** What a row is about: the title of the listing, or the name that an assistant gave itself. */
export const aboutOf = (row: HistoryRow): string | null => row.title ?? textOf(row, 'name') ?? textOf(row, 'copy');

/** A row of the record as a sentence; a kind that is not known here is named as it is. */
export const recordWords = (row: HistoryRow): string => {
  const kind = kindOf(row.kind);
  const code = textOf(row, 'code');
  if (kind === null) return plainKind(row.kind);
  return t(`approvals.kind.${kind}`, {
    act: actOf(row) ?? textOf(row, 'route') ?? t('approvals.record.something'),
    code: code === null ? '' : ` (${code})`,
  });
};

/** The question that a row is about, which can be opened. */
export const approvalOf = (row: HistoryRow): string | null => textOf(row, 'approvalId');

/** The question whose place that of this row has taken. */
export const replacedBy = (row: HistoryRow): string | null => textOf(row, 'before');
