import { type HistoryRow, call, sentenceOf } from '../../../api/call.ts';
import { t } from '../../../i18n.ts';
import { RelativeTime } from '../../../components/text/RelativeTime.tsx';
import { Picture } from '../../../components/Picture.tsx';
import { UntrustedText } from '../../../components/text/UntrustedText.tsx';
import styles from './record.module.css';
import { Button } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { ProblemLine } from '../../../components/Page.tsx';
import { saveFile } from '../../../components/DataTable.tsx';
import { usePrompts } from '../useQuestions.ts';
import { IconChevronDown } from '@tabler/icons-react';
import { useId, useState, type ReactNode } from 'react';
import { aboutOf, questionText, recordText, type RecordLine } from './recordLines.ts';

/** One row of the history: a step of a question, or something that stands by itself. */
export const RecordRow = ({ row, broken }: { row: HistoryRow; broken: boolean }) => {
  const about = aboutOf(row);
  return (
    <li className={styles.row} data-broken={broken || undefined}>
      <span className={styles.seq}>{row.seq}</span>
      <span className={styles.photo} />
      <span className={styles.words}>
        <span>
          <UntrustedText text={recordText(row)} fold={160} flag={false} />
        </span>
        {about !== null && (
          <span className={styles.soft}>
            <UntrustedText text={about} fold={10_000} flag={false} />
          </span>
        )}
      </span>
      <span className={styles.at}>
        <RelativeTime at={row.at} />
      </span>
    </li>
  );
};

const mostSteps = 200;

/** All rows about these questions, newest first. */
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

/** Every step of a question from the asking on, with what can be done with it. */
export const QuestionSteps = ({ id, approvalIds, found, brokenAt }: QuestionStepsProps) => {
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
  /** How it stands. */
  now: string | null;
  title: string | null;
  isBroken: boolean;
  children: (id: string) => ReactNode;
};

/** A line of the history that unfolds: what was asked, about what, and how it stands. */
export const UnfoldingRow = ({ row, act, now, title, isBroken, children }: UnfoldingRowProps) => {
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
        <span className={styles.words}>
          <span>
            <UntrustedText text={act} fold={160} flag={false} />
            {now !== null && <span className={styles.now}>{now}</span>}
          </span>
          {title !== null && (
            <span className={styles.soft}>
              <UntrustedText text={title} fold={10_000} flag={false} />
            </span>
          )}
        </span>
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

/** One question of the history in a line: what was asked, about what, and how it stands. It unfolds into its steps. */
export const QuestionRow = ({ line: { approvalIds, newest, rows }, brokenAt }: QuestionRowProps) => {
  // That it was asked says what was asked.
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
