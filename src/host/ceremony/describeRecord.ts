import * as z from 'zod';
import type { HistoryRow } from '../../core/approvals/ledger/history.ts';
import { loadCeremonyTexts, type CeremonyTexts } from './ceremonyTexts.ts';
import { callTexts, describeCall } from './describeCall.ts';

const callFacts = z.object({
  call: z.string(),
  input: z.unknown(),
  subjects: z.record(z.string(), z.string()).catch({}),
});

const describeRow = (row: HistoryRow, texts: CeremonyTexts): HistoryRow => {
  const { data } = callFacts.safeParse(row.facts);
  if (!data || !Object.hasOwn(callTexts, data.call)) return row;
  const { rows, facts } = describeCall({ of: 'call', ...data }, texts);
  const details = facts.map(({ label, value }) => `${label}: ${value.replaceAll('\n', ', ')}`).join(', ');
  return { ...row, about: rows.map(({ act }) => ({ act, says: null, title: details === '' ? null : details })) };
};

/** Says in a language what the protected calls in rows of the history do, in the words of the ceremony page. */
export const describeRecordRows = async (rows: readonly HistoryRow[], language: string): Promise<HistoryRow[]> => {
  const texts = await loadCeremonyTexts(language, undefined);
  return rows.map((row) => describeRow(row, texts));
};
