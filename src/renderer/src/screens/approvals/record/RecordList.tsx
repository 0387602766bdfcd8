import type { HistoryRow } from '../../../api/types.ts';
import { RelativeTime } from '../../../components/text/RelativeTime.tsx';
import { UntrustedText } from '../../../components/text/UntrustedText.tsx';
import { aboutOf, recordWords, questionWords, type RecordLine, recordLines } from './recordWords.ts';
import styles from './record.module.css';
import { Button } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { call, sentenceOf } from '../../../api/call.ts';
import { ProblemLine } from '../../../components/ProblemLine.tsx';
import { saveFile } from '../../../components/saveFile.ts';
import { t } from '../../../i18n/t.ts';
import { usePrompts } from '../usePrompts.ts';
import { IconChevronDown } from '@tabler/icons-react';
import { useId, useState } from 'react';

/** One row of the history: a step of a question, or something that stands by itself. */
const RecordRow = ({ row, broken }: { row: HistoryRow; broken: boolean }) => {
  const about = aboutOf(row);
  return (
    <li className={styles.row} data-broken={broken || undefined}>
      <span className={styles.seq}>{row.seq}</span>
      <span className={styles.words}>
        <span>
          <UntrustedText text={recordWords(row)} fold={160} flag={false} />
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

type QuestionRowProps = { line: RecordLine & { approvalIds: [string, ...string[]] }; brokenAt: number | null };

/** One question of the history in a line: what was asked, about what, and how it stands. It unfolds into its steps. */
const QuestionRow = ({ line: { approvalIds, newest, rows }, brokenAt }: QuestionRowProps) => {
  const id = useId();
  const [open, setOpen] = useState(false);
  const act = questionWords(newest);
  const now = recordWords(newest);
  const isBroken = rows.some(({ seq }) => seq === brokenAt);
  return (
    <li className={styles.question} data-broken={isBroken || undefined}>
      <button
        type="button"
        className={styles.row}
        aria-expanded={open}
        aria-controls={open ? id : undefined}
        onClick={() => setOpen(!open)}
      >
        <span className={styles.seq}>{newest.seq}</span>
        <span className={styles.words}>
          <span>
            <UntrustedText text={act ?? now} fold={160} flag={false} />
            {act !== null && <span className={styles.now}>{now}</span>}
          </span>
          {newest.title !== null && (
            <span className={styles.soft}>
              <UntrustedText text={newest.title} fold={10_000} flag={false} />
            </span>
          )}
        </span>
        <span className={styles.at}>
          <RelativeTime at={newest.at} />
          <IconChevronDown size={16} aria-hidden className={styles.chevron} />
        </span>
      </button>
      {open && <QuestionSteps id={id} approvalIds={approvalIds} found={rows} brokenAt={brokenAt} />}
    </li>
  );
};

type RecordListProps = { label: string; rows: readonly HistoryRow[]; brokenAt?: number | null };

/** Rows of the history, newest first, a line a question. */
export const RecordList = ({ label, rows, brokenAt = null }: RecordListProps) => (
  <ol className={styles.rows} aria-label={label}>
    {recordLines(rows).map(({ approvalIds, ...line }) =>
      approvalIds === null ? (
        <RecordRow key={line.newest.seq} row={line.newest} broken={line.newest.seq === brokenAt} />
      ) : (
        <QuestionRow key={approvalIds.at(-1)} line={{ approvalIds, ...line }} brokenAt={brokenAt} />
      ),
    )}
  </ol>
);
