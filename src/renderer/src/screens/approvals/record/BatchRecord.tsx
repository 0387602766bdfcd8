import { useQuery } from '@tanstack/react-query';
import { call, type BatchRow } from '../../../api/call.ts';
import { t, translate } from '../../../i18n.ts';
import { stateText } from '../approvalText.ts';
import { approveLabel } from '../batch/totals.ts';
import styles from './record.module.css';
import { QuestionSteps, UnfoldingRow } from './QuestionRow.tsx';
import { askedRows, batchStand, type BatchLines, type RecordLine } from './recordLines.ts';
import { UntrustedText } from '../../../components/text/UntrustedText.tsx';

/** The ids of a question: those that were found of it, or its own. */
const idsOf = (approvalId: string, lines: readonly RecordLine[]): [string, ...string[]] =>
  lines.find(({ approvalIds }) => approvalIds?.includes(approvalId))?.approvalIds ?? [approvalId];

type RowProps = { row: BatchRow; found: BatchLines; brokenAt: number | null };

/** One listing of a batch: what came of it. What could never be asked says why. */
const Row = ({ row: { approval, title, problem }, found: { lines, newest }, brokenAt }: RowProps) => {
  if (approval === null)
    return (
      <li className={styles.unasked}>
        <UntrustedText text={title} fold={160} flag={false} />
        <span className={styles.soft}>
          <UntrustedText text={problem ? translate(problem.says, problem.sentence) : ''} fold={240} />
        </span>
      </li>
    );
  const { approvalId, decidedAt, askedAt, prompt } = approval;
  const approvalIds = idsOf(approvalId, lines);
  const rows = lines.filter((line) => line.approvalIds?.includes(approvalId)).flatMap((line) => line.rows);
  return (
    <UnfoldingRow
      row={{ seq: rows[0]?.seq ?? newest.seq, at: decidedAt ?? askedAt, photoUrl: prompt.target?.photoUrl ?? null }}
      act={title}
      now={stateText(approval)}
      title={null}
      isBroken={rows.some(({ seq }) => seq === brokenAt)}
    >
      {(id) => <QuestionSteps id={id} approvalIds={approvalIds} found={rows} brokenAt={brokenAt} />}
    </UnfoldingRow>
  );
};

/** A batch of the history in a line, as its yes said it. It unfolds into its listings with what came of each. */
export const BatchRecord = ({ found, brokenAt }: { found: BatchLines; brokenAt: number | null }) => {
  const { batchId, newest, lines } = found;
  const batch = useQuery({
    queryKey: ['approvals', 'batch', batchId],
    queryFn: () => call('batch.read', { batchId }),
  }).data;
  const rows = batch ? askedRows(batch) : [];
  return (
    <UnfoldingRow
      row={newest}
      act={rows.length > 0 ? approveLabel(rows) : t('approvals.kind.batch_asked')}
      now={batch ? batchStand(batch) : null}
      title={batch ? batch.rows.map(({ title }) => title).join(' · ') : null}
      isBroken={lines.some((line) => line.rows.some(({ seq }) => seq === brokenAt))}
    >
      {(id) => (
        <ol id={id} className={styles.listings} aria-label={t('approvals.batch.listings', { count: rows.length })}>
          {(batch?.rows ?? []).map((row) => (
            <Row key={row.listingId} row={row} found={found} brokenAt={brokenAt} />
          ))}
        </ol>
      )}
    </UnfoldingRow>
  );
};
