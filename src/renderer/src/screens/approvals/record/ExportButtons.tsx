import { Button } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { call } from '../../../api/call.ts';
import { sentenceOf } from '../../../api/callError.ts';
import { ProblemLine } from '../../../parts/ProblemLine.tsx';
import { saveFile } from '../../../parts/saveFile.ts';
import { t } from '../../../i18n/t.ts';
import styles from './record.module.css';

const formats = [
  ['jsonl', 'approvals.record.exportLines'],
  ['csv', 'approvals.record.exportCsv'],
] as const;

/** The whole record as a file. */
export const ExportButtons = () => {
  const made = useMutation({
    mutationFn: (format: 'jsonl' | 'csv') => call('history.export', { format }),
    onSuccess: saveFile,
  });
  return (
    <div className={styles.exports}>
      {formats.map(([format, words]) => (
        <Button
          key={format}
          size="compact-sm"
          variant="quiet"
          disabled={made.isPending}
          onClick={() => made.mutate(format)}
        >
          {t(words)}
        </Button>
      ))}
      {made.error && <ProblemLine>{sentenceOf(made.error)}</ProblemLine>}
    </div>
  );
};
