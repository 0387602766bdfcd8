import { Button } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { call } from '../../../api/call.ts';
import { sentenceOf } from '../../../api/callError.ts';
import type { HistoryRow } from '../../../api/types.ts';
import { ProblemLine } from '../../../parts/ProblemLine.tsx';
import { saveFile } from '../../../parts/saveFile.ts';
import { t } from '../../../i18n/t.ts';
import { usePrompts } from '../usePrompts.ts';
import { RecordRow } from './RecordRow.tsx';
import styles from './record.module.css';

const mostSteps = 200;

/** All rows about these questions, newest first. */
const stepsOf = async (approvalIds: readonly string[]): Promise<HistoryRow[]> => {
  const found = await Promise.all(
    approvalIds.map((approvalId) => call('history.search', { approvalId, limit: mostSteps })),
  );
  return found.flatMap(({ rows }) => rows).sort((a, b) => b.seq - a.seq);
};

type Props = { id: string; approvalIds: [string, ...string[]]; found: HistoryRow[]; brokenAt: number | null };

/** Every step of a question from the asking on, with what can be done with it. */
export const QuestionSteps = ({ id, approvalIds, found, brokenAt }: Props) => {
  const [approvalId] = approvalIds;
  const { show } = usePrompts();
  const all = useQuery({
    queryKey: ['approvals', 'record', 'steps', ...approvalIds],
    queryFn: () => stepsOf(approvalIds),
  }).data;
  const receipt = useMutation({
    mutationFn: () => call('receipts.export', { approvalId }),
    onSuccess: saveFile,
  });
  return (
    <div id={id} className={styles.steps}>
      <ol className={styles.rows} aria-label={t('approvals.record.steps')}>
        {(all ?? found).toReversed().map((row) => (
          <RecordRow key={row.seq} row={{ ...row, title: null }} broken={row.seq === brokenAt} />
        ))}
      </ol>
      <div className={styles.exports}>
        <Button size="compact-sm" variant="quiet" onClick={() => show(approvalId)}>
          {t('approvals.record.openQuestion')}
        </Button>
        <Button size="compact-sm" variant="quiet" loading={receipt.isPending} onClick={() => receipt.mutate()}>
          {t('approvals.record.receipt')}
        </Button>
      </div>
      {receipt.error && <ProblemLine>{sentenceOf(receipt.error)}</ProblemLine>}
    </div>
  );
};
