import { Button } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { call } from '../../../api/call.ts';
import { sentenceOf } from '../../../api/callError.ts';
import { ProblemLine } from '../../../parts/ProblemLine.tsx';
import { saveFile } from '../../../parts/saveFile.ts';
import { t } from '../../../i18n/t.ts';
import styles from './record.module.css';

const files = [
  ['approvals.record.exportLines', () => call('history.export', { format: 'jsonl' })],
  ['approvals.record.exportCsv', () => call('history.export', { format: 'csv' })],
  ['approvals.record.exportReceipts', () => call('receipts.export', {})],
] as const;

/** The whole record as a file, and the receipts of all questions. */
export const ExportButtons = () => {
  const made = useMutation({
    mutationFn: (take: (typeof files)[number][1]) => take(),
    onSuccess: saveFile,
  });
  return (
    <div className={styles.exports}>
      {files.map(([words, take]) => (
        <Button
          key={words}
          size="compact-sm"
          variant="quiet"
          disabled={made.isPending}
          onClick={() => made.mutate(take)}
        >
          {t(words)}
        </Button>
      ))}
      {made.error && <ProblemLine>{sentenceOf(made.error)}</ProblemLine>}
    </div>
  );
};
