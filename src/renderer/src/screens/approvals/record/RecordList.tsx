import { call, sentenceOf, type HistoryRow, type BatchRow } from '../../../api/call.ts';
import styles from './record.module.css';
import {
  recordLines,
  withBatches,
  aboutOf,
  questionText,
  recordText,
  askedRows,
  batchStand,
  type RecordLine,
  type BatchLines,
} from './recordLines.ts';
import { t, translate } from '../../../i18n.ts';
import { RelativeTime } from '../../../components/text/RelativeTime.tsx';
import { Picture } from '../../../components/Picture.tsx';
import { UntrustedText } from '../../../components/text/UntrustedText.tsx';
import { Button } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { ProblemLine } from '../../../components/Page.tsx';
import { saveFile } from '../../../components/DataTable.tsx';
import { usePrompts } from '../useQuestions.ts';
import { IconChevronDown } from '@tabler/icons-react';
import { useId, useState, type ReactNode } from 'react';
import { rowTitle, stateText } from '../approvalText.ts';
import { approveLabel } from '../batch/batchRows.ts';

type RowWordsProps = { act: string; now?: string | null; about: string | null };

/** The act, the current state if known, and the subject. */
const RowWords = ({ act, now = null, about }: RowWordsProps) => (
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

/** One row of the record: a step of an approval, or an independent event. */
const RecordRow = ({ row, broken }: { row: HistoryRow; broken: boolean }) => {
  const about = aboutOf(row);
  return (
    <li className={styles.row} data-broken={broken || undefined}>
      <span className={styles.seq}>{row.seq}</span>
      <span className={styles.photo} />
      <RowWords act={recordText(row)} about={about} />
      <span className={styles.at}>
        <RelativeTime at={row.at} />
      </span>
    </li>
  );
};

const mostSteps = 200;

const stepsOf = async (approvalIds: readonly string[]): Promise<HistoryRow[]> => {
  const found = await Promise.all(
    approvalIds.map((approvalId) => call('history.search', { approvalId, limit: mostSteps })),
  );
  return found.flatMap(({ rows }) => rows).sort((a, b) => b.seq - a.seq);
};

type QuestionStepsProps = {
  id: string;
  approvalIds: [string, ...string[]];
  found: HistoryRow[];
  brokenAt: number | null;
};

/** Every step of an approval, with buttons to open its prompt and to export its receipt. */
const QuestionSteps = ({ id, approvalIds, found, brokenAt }: QuestionStepsProps) => {
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

type UnfoldingRowProps = {
  row: Pick<HistoryRow, 'seq' | 'at' | 'photoUrl'>;
  act: string;
  now: string | null;
  title: string | null;
  isBroken: boolean;
  children: (id: string) => ReactNode;
};

/** A record line that unfolds: the act, the subject and the state. */
const UnfoldingRow = ({ row, act, now, title, isBroken, children }: UnfoldingRowProps) => {
  const id = useId();
  const [open, setOpen] = useState(false);
  return (
    <li className={styles.question} data-broken={isBroken || undefined}>
      <button
        type="button"
        className={styles.row}
        aria-expanded={open}
        aria-controls={open ? id : undefined}
        onClick={() => setOpen(!open)}
      >
        <span className={styles.seq}>{row.seq}</span>
        <span className={styles.photo}>
          {row.photoUrl && <Picture src={row.photoUrl} alt="" width={32} height={32} loading="lazy" />}
        </span>
        <RowWords act={act} now={now} about={title} />
        <span className={styles.at}>
          <RelativeTime at={row.at} />
          <IconChevronDown size={16} aria-hidden className={styles.chevron} />
        </span>
      </button>
      {open && children(id)}
    </li>
  );
};

type QuestionRowProps = { line: RecordLine & { approvalIds: [string, ...string[]] }; brokenAt: number | null };

/** One approval as a line of the record; unfolds into its steps. */
const QuestionRow = ({ line: { approvalIds, newest, rows }, brokenAt }: QuestionRowProps) => {
  // An `approval.asked` row already names the act.
  const act = newest.kind === 'approval.asked' ? null : questionText(newest);
  const now = recordText(newest);
  return (
    <UnfoldingRow
      row={newest}
      act={act ?? now}
      now={act === null ? null : now}
      title={newest.title}
      isBroken={rows.some(({ seq }) => seq === brokenAt)}
    >
      {(id) => <QuestionSteps id={id} approvalIds={approvalIds} found={rows} brokenAt={brokenAt} />}
    </UnfoldingRow>
  );
};

/** Returns the ids of an approval and those it superseded, from the lines if they have it. */
const idsOf = (approvalId: string, lines: readonly RecordLine[]): [string, ...string[]] =>
  lines.find(({ approvalIds }) => approvalIds?.includes(approvalId))?.approvalIds ?? [approvalId];

type RowProps = { row: BatchRow; found: BatchLines; brokenAt: number | null };

/** One listing of a batch with its outcome; a listing without an approval shows why. */
const Row = ({ row, found: { lines, newest }, brokenAt }: RowProps) => {
  const { approval, problem } = row;
  if (approval === null)
    return (
      <li className={styles.unasked}>
        <UntrustedText text={rowTitle(row)} fold={160} flag={false} />
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
      act={rowTitle(row)}
      now={stateText(approval)}
      title={null}
      isBroken={rows.some(({ seq }) => seq === brokenAt)}
    >
      {(id) => <QuestionSteps id={id} approvalIds={approvalIds} found={rows} brokenAt={brokenAt} />}
    </UnfoldingRow>
  );
};

/** A batch as a line of the record; unfolds into its listings with their outcomes. */
const BatchRecord = ({ found, brokenAt }: { found: BatchLines; brokenAt: number | null }) => {
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
      title={batch ? batch.rows.map(rowTitle).join(' · ') : null}
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

type RecordListProps = {
  label: string;
  rows: readonly HistoryRow[];
  brokenAt?: number | null;
  /** Whether the rows of a batch are one line. False in the record of one listing. */
  batched?: boolean;
};

const Line = ({ line: { approvalIds, ...line }, brokenAt }: { line: RecordLine; brokenAt: number | null }) =>
  approvalIds === null ? (
    <RecordRow row={line.newest} broken={line.newest.seq === brokenAt} />
  ) : (
    <QuestionRow line={{ approvalIds, ...line }} brokenAt={brokenAt} />
  );

/** The rows of the record, newest first, one line for each approval. */
export const RecordList = ({ label, rows, brokenAt = null, batched = false }: RecordListProps) => {
  const lines = recordLines(rows);
  return (
    <ol className={styles.rows} aria-label={label}>
      {(batched ? withBatches(lines) : lines).map((line) =>
        'batchId' in line ? (
          <BatchRecord key={line.batchId} found={line} brokenAt={brokenAt} />
        ) : (
          <Line key={line.approvalIds?.at(-1) ?? line.newest.seq} line={line} brokenAt={brokenAt} />
        ),
      )}
    </ol>
  );
};
