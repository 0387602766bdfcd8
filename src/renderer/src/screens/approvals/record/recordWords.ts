import type { HistoryRow } from '../../../api/types.ts';

/** Each kind of row as the person reads it. `{act}` is what was asked for, `{code}` the code of a refusal. */
const sentences: Readonly<Record<string, string>> = {
  'approval.asked': 'Asked: {act}',
  'approval.lowered': 'Asked for fewer: {act}',
  'approval.replaced': 'What was shown had changed, and was asked again',
  'approval.replace': 'What was shown had changed, and was asked again',
  'approval.dropped': 'The question was taken away: it could not be done any more',
  'approval.approve': 'You said yes',
  'approval.decline': 'You declined',
  'approval.expire': 'Time ran out, nothing was sent',
  'approval.withdraw': 'The assistant withdrew its question',
  'approval.wrong_digest': 'A yes to something other than what was shown was not taken',
  'approval.send': 'Sent to the service',
  'approval.first_sent': 'A step before it was sent',
  'approval.answer': 'Done',
  'approval.refuse': 'Refused by the service{code}',
  'approval.interrupt': 'The answer was lost; the service is read to find out',
  'approval.confirm': 'Confirmed: it was done',
  'approval.refute': 'Confirmed: it was not done{code}',
  'batch.asked': 'Asked about several listings at once',
  'batch.approve': 'You said yes to several listings',
  'batch.stop': 'You stopped the sending',
  'batch.stopped': 'You stopped the sending',
  'batch.close': 'The batch was closed',
  'assistant.paired': 'An assistant was let in',
  'assistant.paused': 'An assistant was paused',
  'assistant.resumed': 'An assistant may go on',
  'assistant.changed': 'The limits of an assistant were changed',
  'assistant.revoked': 'An assistant was revoked',
};

const textOf = (row: HistoryRow, name: string): string | null => {
  const value = row.facts[name];
  return typeof value === 'string' && value !== '' ? value : null;
};

const plainKind = (kind: string): string => {
  const words = kind.replaceAll(/[._]/g, ' ');
  return words.charAt(0).toUpperCase() + words.slice(1);
};

/** A row of the record as a sentence; a kind that is not known here is named as it is. */
export const recordWords = (row: HistoryRow): string => {
  const sentence = sentences[row.kind] ?? plainKind(row.kind);
  const code = textOf(row, 'code');
  return sentence
    .replace('{act}', () => textOf(row, 'act') ?? textOf(row, 'route') ?? 'something')
    .replace('{code}', () => (code === null ? '' : ` (${code})`));
};

/** The question that a row is about, which can be opened. */
export const approvalOf = (row: HistoryRow): string | null => textOf(row, 'approvalId');
