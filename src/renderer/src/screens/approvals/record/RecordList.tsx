import { type HistoryRow, call, sentenceOf } from '../../../api/call.ts';
import { i18n, t, type screens, translate } from '../../../i18n.ts';
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
import { useId, useState } from 'react';

type Kind = keyof typeof screens.approvals.kind;

const isKind = (key: string): key is Kind => i18n.exists(`approvals.kind.${key}`);

/** A text of the languages has no point in its key. Whoever asked takes a question back: the assistant or the person. */
const kindOf = ({ kind, facts }: Pick<HistoryRow, 'kind' | 'facts'>): Kind | null => {
  if (kind === 'approval.withdraw' && facts['by'] === 'person') return 'approval_withdrawOwn';
  const key = kind.replace('.', '_');
  return isKind(key) ? key : null;
};

const textOf = (row: HistoryRow, name: string): string | null => {
  const value = row.facts[name];
  return typeof value === 'string' && value !== '' ? value : null;
};

const actOf = (row: HistoryRow): string | null => {
  const act = textOf(row, 'act');
  return act && translate(row.says, act);
};

const plainKind = (kind: string): string => {
  const words = kind.replaceAll(/[._]/g, ' ');
  return words.charAt(0).toUpperCase() + words.slice(1);
};

/** What the question of a row asks for; null where that is not known. */
const questionText = ({ act, says }: HistoryRow): string | null => (act === null ? null : translate(says, act));

/** What a row is about: the title of the listing, or the name that an assistant gave itself. */
const aboutOf = (row: HistoryRow): string | null => row.title ?? textOf(row, 'name') ?? textOf(row, 'copy');

/** A row of the record as a sentence; a kind that is not known here is named as it is. */
export const recordText = (row: HistoryRow): string => {
  const kind = kindOf(row);
  if (kind === null) return plainKind(row.kind);
  return t(`approvals.kind.${kind}`, {
    act: actOf(row) ?? t('approvals.record.something'),
  });
};

/** The question that a row is about, which can be opened. */
export const approvalOf = (row: HistoryRow): string | null => textOf(row, 'approvalId');

/** The question whose place that of this row has taken. */
const replacedBy = (row: HistoryRow): string | null => textOf(row, 'before');

/**
 * One line of the history: a question with the rows about it that were found, newest first, or a row by itself. A question
 * whose prompt was replaced has an id for each of them, the newest first.
 */
type RecordLine = { approvalIds: [string, ...string[]] | null; newest: HistoryRow; rows: HistoryRow[] };

/** The rows, newest first, as lines: all rows of a question are one line, where its newest row is. */
const recordLines = (rows: readonly HistoryRow[]): RecordLine[] => {
  const questions = new Map<string, RecordLine>();
  const lines: RecordLine[] = [];
  for (const row of rows) {
    const approvalId = approvalOf(row);
    let line = approvalId === null ? undefined : questions.get(approvalId);
    if (line) line.rows.push(row);
    else {
      line = { approvalIds: approvalId === null ? null : [approvalId], newest: row, rows: [row] };
      if (approvalId !== null) questions.set(approvalId, line);
      lines.push(line);
    }
    const before = replacedBy(row);
    if (before === null || questions.has(before)) continue;
    line.approvalIds?.push(before);
    questions.set(before, line);
  }
  return lines;
};

/** One row of the history: a step of a question, or something that stands by itself. */
const RecordRow = ({ row, broken }: { row: HistoryRow; broken: boolean }) => {
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
  const act = questionText(newest);
  const now = recordText(newest);
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
        <span className={styles.photo}>
          {newest.photoUrl && <Picture src={newest.photoUrl} alt="" width={32} height={32} loading="lazy" />}
        </span>
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
