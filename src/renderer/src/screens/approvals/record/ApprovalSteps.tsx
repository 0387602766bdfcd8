import { Button } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { callCore, type HistoryRow } from '../../../api/call.ts';
import { downloadFile } from '../../../components/DataTable.tsx';
import { ErrorLine } from '../../../components/ScreenPage.tsx';
import { RelativeTime } from '../../../components/text/RelativeTime.tsx';
import { UntrustedText } from '../../../components/text/UntrustedText.tsx';
import { t } from '../../../i18n.ts';
import { usePromptControls } from '../usePrompts.ts';
import styles from './record.module.css';
import { formatRecordRow } from './recordLines.ts';

const maxSteps = 200;

const readApprovalSteps = async (approvalIds: readonly string[]): Promise<HistoryRow[]> => {
  const found = await Promise.all(
    approvalIds.map((approvalId) => callCore('history.search', { approvalId, limit: maxSteps })),
  );
  return found.flatMap(({ rows }) => rows).sort((a, b) => b.seq - a.seq);
};

type ApprovalStepsProps = {
  id: string;
  approvalIds: [string, ...string[]];
  /** The rows that the list has loaded. */
  found: readonly HistoryRow[];
  brokenAt: number | null;
};

export const ApprovalSteps = ({ id, approvalIds, found, brokenAt }: ApprovalStepsProps) => {
  const [approvalId] = approvalIds;
  const { show } = usePromptControls();
  const allSteps = useQuery({
    queryKey: ['approvals', 'record', 'steps', ...approvalIds],
    queryFn: () => readApprovalSteps(approvalIds),
  }).data;
  const receipt = useMutation({
    mutationFn: () => callCore('receipts.export', { approvalId }),
    onSuccess: downloadFile,
  });
  return (
    <div id={id} className={styles.steps}>
      <ol aria-label={t('approvals.record.steps')}>
        {(allSteps ?? found).toReversed().map((row) => (
          <li key={row.seq} className={styles.step} data-broken={row.seq === brokenAt || undefined}>
            <span>{row.seq}</span>
            <UntrustedText text={formatRecordRow(row)} fold={160} flag={false} />
            <RelativeTime at={row.at} />
          </li>
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
      <ErrorLine error={receipt.error} />
    </div>
  );
};
