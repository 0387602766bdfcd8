import type { AppState } from '../../../api/types.ts';
import { t } from '../../../i18n/t.ts';

export type LedgerAlarm = NonNullable<AppState['ledgerAlarm']>;

/** What is wrong with the record, and what that may mean. */
export const alarmWords = ({ kind, rows, keptRows: kept, row, copy }: LedgerAlarm): string => {
  if (kind === 'rolledBack' && copy === null) return t('approvals.alarm.emptied');
  const values = { copy: copy ?? '', rows, kept: kept ?? 0, row: row ?? 0 };
  return t(`approvals.alarm.${kind === 'rolledBack' && values.kept <= rows ? 'restored' : kind}`, values);
};
