import { useCoreQuery } from '../../../api/useCall.ts';
import { callCore, type HistoryRow, type BatchRow } from '../../../api/call.ts';
import styles from './record.module.css';
import {
  groupRecordLines,
  mergeBatchLines,
  findRecordSubject,
  formatRequestedAction,
  formatRecordRow,
  listRowsWithApproval,
  formatBatchState,
  type RecordLine,
  type BatchLines,
} from './recordLines.ts';
import { t, translateMessage } from '../../../i18n.ts';
import { RelativeTime } from '../../../components/text/RelativeTime.tsx';
import { CorePicture } from '../../../components/CorePicture.tsx';
import { UntrustedText } from '../../../components/text/UntrustedText.tsx';
import { Button } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { ErrorLine } from '../../../components/ScreenPage.tsx';
import { downloadFile } from '../../../components/DataTable.tsx';
import { usePromptControls } from '../usePrompts.ts';
import { IconChevronDown } from '@tabler/icons-react';
import { useId, useState, type ReactNode } from 'react';
import { formatBatchRowTitle, formatApprovalState } from '../approvalText.ts';
import { formatApproveLabel } from '../batch/batchRows.ts';

type RecordRowTextProps = { act: string; now?: string | null; about: string | null };

const RecordRowText = ({ act, now = null, about }: RecordRowTextProps) => (
  <span className={styles.words}>
    <span>
      <UntrustedText text={act} fold={160} flag={false} />
      {now !== null && <span className={styles.now}>{now}</span>}
    </span>
    {about !== null && (
      <span className={styles.soft}>
        <UntrustedText text={about} fold={10_000} flag={false} />
      </span>
    )}
  </span>
);

const RecordEventRow = ({ row, broken }: { row: HistoryRow; broken: boolean }) => {
  const about = findRecordSubject(row);
  return (
    <li className={styles.row} data-broken={broken || undefined}>
      <span className={styles.seq}>{row.seq}</span>
      <span className={styles.photo} />
      <RecordRowText act={formatRecordRow(row)} about={about} />
      <span className={styles.at}>
        <RelativeTime at={row.at} />
      </span>
    </li>
  );
};

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
  found: HistoryRow[];
  brokenAt: number | null;
};

const ApprovalStepsList = ({ id, approvalIds, found, brokenAt }: ApprovalStepsProps) => {
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
      <ol className={styles.rows} aria-label={t('approvals.record.steps')}>
        {(allSteps ?? found).toReversed().map((row) => (
          <RecordEventRow key={row.seq} row={{ ...row, title: null }} broken={row.seq === brokenAt} />
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

type UnfoldingRowProps = {
  row: Pick<HistoryRow, 'seq' | 'at' | 'photoUrl'>;
  act: string;
  now: string | null;
  title: string | null;
  isBroken: boolean;
  children: (id: string) => ReactNode;
};

const UnfoldingRecordRow = ({ row, act, now, title, isBroken, children }: UnfoldingRowProps) => {
  const id = useId();
  const [open, setOpen] = useState(false);
  return (
    <li className={styles.approval} data-broken={isBroken || undefined}>
      <button
        type="button"
        className={styles.row}
        aria-expanded={open}
        aria-controls={open ? id : undefined}
        onClick={() => setOpen(!open)}
      >
        <span className={styles.seq}>{row.seq}</span>
        <span className={styles.photo}>
          {row.photoUrl && <CorePicture src={row.photoUrl} alt="" width={32} height={32} loading="lazy" />}
        </span>
        <RecordRowText act={act} now={now} about={title} />
        <span className={styles.at}>
          <RelativeTime at={row.at} />
          <IconChevronDown size={16} aria-hidden className={styles.chevron} />
        </span>
      </button>
      {open && children(id)}
    </li>
  );
};

type ApprovalRecordProps = { line: RecordLine & { approvalIds: [string, ...string[]] }; brokenAt: number | null };

const ApprovalRecordRow = ({ line: { approvalIds, newest, rows }, brokenAt }: ApprovalRecordProps) => {
  // The text of an `approval.asked` row already names the action.
  const act = newest.kind === 'approval.asked' ? null : formatRequestedAction(newest);
  const now = formatRecordRow(newest);
  return (
    <UnfoldingRecordRow
      row={newest}
      act={act ?? now}
      now={act === null ? null : now}
      title={newest.title}
      isBroken={rows.some(({ seq }) => seq === brokenAt)}
    >
      {(id) => <ApprovalStepsList id={id} approvalIds={approvalIds} found={rows} brokenAt={brokenAt} />}
    </UnfoldingRecordRow>
  );
};

const listApprovalIds = (approvalId: string, lines: readonly RecordLine[]): [string, ...string[]] =>
  lines.find(({ approvalIds }) => approvalIds?.includes(approvalId))?.approvalIds ?? [approvalId];

type BatchRecordRowProps = { row: BatchRow; found: BatchLines; brokenAt: number | null };

const BatchListingRow = ({ row, found: { lines, newest }, brokenAt }: BatchRecordRowProps) => {
  const { approval, problem } = row;
  if (approval === null)
    return (
      <li className={styles.unasked}>
        <UntrustedText text={formatBatchRowTitle(row)} fold={160} flag={false} />
        <span className={styles.soft}>
          <UntrustedText text={problem ? translateMessage(problem.says, problem.sentence) : ''} fold={240} />
        </span>
      </li>
    );
  const { approvalId, decidedAt, askedAt, prompt } = approval;
  const approvalIds = listApprovalIds(approvalId, lines);
  const rows = lines.filter((line) => line.approvalIds?.includes(approvalId)).flatMap((line) => line.rows);
  return (
    <UnfoldingRecordRow
      row={{ seq: rows[0]?.seq ?? newest.seq, at: decidedAt ?? askedAt, photoUrl: prompt.target?.photoUrl ?? null }}
      act={formatBatchRowTitle(row)}
      now={formatApprovalState(approval)}
      title={null}
      isBroken={rows.some(({ seq }) => seq === brokenAt)}
    >
      {(id) => <ApprovalStepsList id={id} approvalIds={approvalIds} found={rows} brokenAt={brokenAt} />}
    </UnfoldingRecordRow>
  );
};

const BatchRecordRow = ({ found, brokenAt }: { found: BatchLines; brokenAt: number | null }) => {
  const { batchId, newest, lines } = found;
  const batch = useCoreQuery(['approvals', 'batch', batchId], 'batch.read', { batchId }).data;
  const rows = batch ? listRowsWithApproval(batch) : [];
  return (
    <UnfoldingRecordRow
      row={newest}
      act={rows.length > 0 ? formatApproveLabel(rows) : t('approvals.kind.batch_asked')}
      now={batch ? formatBatchState(batch) : null}
      title={batch ? batch.rows.map(formatBatchRowTitle).join(' · ') : null}
      isBroken={lines.some((line) => line.rows.some(({ seq }) => seq === brokenAt))}
    >
      {(id) => (
        <ol id={id} className={styles.listings} aria-label={t('approvals.batch.listings', { count: rows.length })}>
          {(batch?.rows ?? []).map((row) => (
            <BatchListingRow key={row.listingId} row={row} found={found} brokenAt={brokenAt} />
          ))}
        </ol>
      )}
    </UnfoldingRecordRow>
  );
};

type RecordListProps = {
  label: string;
  rows: readonly HistoryRow[];
  brokenAt?: number | null;
  /** Whether all rows of a batch become one line. */
  batched?: boolean;
};

const RecordLineRow = ({ line: { approvalIds, ...line }, brokenAt }: { line: RecordLine; brokenAt: number | null }) =>
  approvalIds === null ? (
    <RecordEventRow row={line.newest} broken={line.newest.seq === brokenAt} />
  ) : (
    <ApprovalRecordRow line={{ approvalIds, ...line }} brokenAt={brokenAt} />
  );

export const RecordLineList = ({ label, rows, brokenAt = null, batched = false }: RecordListProps) => {
  const lines = groupRecordLines(rows);
  return (
    <ol className={styles.rows} aria-label={label}>
      {(batched ? mergeBatchLines(lines) : lines).map((line) =>
        'batchId' in line ? (
          <BatchRecordRow key={line.batchId} found={line} brokenAt={brokenAt} />
        ) : (
          <RecordLineRow key={line.approvalIds?.at(-1) ?? line.newest.seq} line={line} brokenAt={brokenAt} />
        ),
      )}
    </ol>
  );
};
