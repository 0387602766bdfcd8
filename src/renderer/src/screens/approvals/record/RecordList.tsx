import { memo, useId } from 'react';
import { type BatchRow, type BatchView, type HistoryPage, type HistoryRow, callCore } from '../../../api/call.ts';
import { useCoreQuery } from '../../../api/useCall.ts';
import { formatDayHeading } from '../../../components/text/format.ts';
import { UntrustedText } from '../../../components/text/UntrustedText.tsx';
import { i18n, t, translateMessage } from '../../../i18n.ts';
import { formatAskerName, formatBatchRowTitle } from '../approvalText.ts';
import { formatAmounts, formatApproveLabel, listApprovedRows, sumRowFees } from '../batch/batchRows.ts';
import styles from './record.module.css';
import {
  findRecordOutcome,
  findRecordSubject,
  formatBatchState,
  formatRecordEvent,
  formatRecordRow,
  formatRepeats,
  formatRequestedAction,
  formatTitles,
  groupEntriesByDay,
  groupRecordLines,
  listRowsWithApproval,
  mergeBatchLines,
  type BatchLines,
  type RecordLine,
} from './recordLines.ts';
import { RecordRow, type RecordRowTexts } from './RecordRow.tsx';
import { Button } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { downloadFile } from '../../../components/lists/DataTable.tsx';
import { ErrorLine } from '../../../components/ScreenPage.tsx';
import { RelativeTime } from '../../../components/text/RelativeTime.tsx';
import { usePromptControls } from '../usePrompts.ts';

const maxSteps = 200;

const readApprovalSteps = async (approvalIds: readonly string[]): Promise<HistoryRow[]> => {
  const found = await Promise.all(
    approvalIds.map((approvalId) =>
      callCore('history.search', { approvalId, limit: maxSteps, language: i18n.language }),
    ),
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
    queryKey: ['approvals', 'record', 'steps', i18n.language, ...approvalIds],
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

type Shared = { brokenAt: number | null; isDated: boolean };

const hasRow = (rows: readonly HistoryRow[], seq: number | null): boolean => rows.some((row) => row.seq === seq);

const noAmount = { amount: '', isPaid: false };

const describeLine = ({ newest, approvalIds }: RecordLine): RecordRowTexts => {
  const { approval, kind } = newest;
  const act = formatRequestedAction(newest);
  const subject = findRecordSubject(newest);
  return {
    outcome: approval
      ? findRecordOutcome(approval, kind)
      : { ...noAmount, sign: null, word: formatRecordEvent(newest) },
    subject: subject ?? (approvalIds === null ? null : act),
    details: [
      subject === null ? null : act,
      approval && formatAskerName(approval),
      approval ? null : formatRepeats(newest),
    ],
  };
};

const LineRow = ({ line, brokenAt, isDated }: Shared & { line: RecordLine }) => {
  const { approvalIds, newest, rows } = line;
  const shared = { row: newest, isBroken: hasRow(rows, brokenAt), isDated, ...describeLine(line) };
  if (approvalIds === null) return <RecordRow {...shared} />;
  return (
    <RecordRow {...shared}>
      {(id) => <ApprovalSteps id={id} approvalIds={approvalIds} found={rows} brokenAt={brokenAt} />}
    </RecordRow>
  );
};

type BatchListingRowProps = Shared & { row: BatchRow; found: BatchLines };

const BatchListingRow = ({ row, found: { lines, newest }, brokenAt, isDated }: BatchListingRowProps) => {
  const { approval, problem } = row;
  const title = formatBatchRowTitle(row);
  if (approval === null) {
    const word = problem ? translateMessage(problem.says, problem.sentence) : '';
    return (
      <li className={styles.unasked}>
        <UntrustedText text={title} fold={160} flag={false} />
        <UntrustedText text={word} fold={240} />
      </li>
    );
  }
  const { approvalId, decidedAt, askedAt, prompt } = approval;
  const line = lines.find(({ approvalIds }) => approvalIds?.includes(approvalId));
  const rows = line?.rows ?? [];
  return (
    <RecordRow
      row={{
        ...{ seq: rows[0]?.seq ?? newest.seq, at: decidedAt ?? askedAt, kind: newest.kind },
        photoUrl: prompt.target?.photoUrl ?? null,
      }}
      outcome={findRecordOutcome({ ...approval, money: prompt.money }, rows[0]?.kind ?? null)}
      subject={formatTitles([title])}
      details={[translateMessage(prompt.says?.act, prompt.act)]}
      isBroken={hasRow(rows, brokenAt)}
      isDated={isDated}
    >
      {(id) => (
        <ApprovalSteps id={id} approvalIds={line?.approvalIds ?? [approvalId]} found={rows} brokenAt={brokenAt} />
      )}
    </RecordRow>
  );
};

const describeBatch = (batch: BatchView | undefined): RecordRowTexts => {
  const asked = batch ? listRowsWithApproval(batch) : [];
  if (!batch || asked.length === 0) {
    const outcome = { ...noAmount, sign: null, word: t('approvals.kind.batch_asked') };
    return { outcome, subject: null, details: [] };
  }
  const approved = listApprovedRows(asked);
  const isWaiting = asked.some(({ approval }) => approval.state === 'pending');
  const sign = approved.length > 0 ? 'yes' : 'no';
  return {
    outcome: {
      sign: isWaiting ? 'waiting' : sign,
      word: batch.state === 'waiting' ? t('approvals.state.pending') : formatBatchState(batch),
      amount: formatAmounts(sumRowFees(approved).sums),
      isPaid: !isWaiting,
    },
    subject: formatTitles(batch.rows.map(formatBatchRowTitle)),
    details: [formatApproveLabel(asked), formatAskerName(batch)],
  };
};

const BatchRecordRow = ({ found, brokenAt, isDated }: Shared & { found: BatchLines }) => {
  const { batchId, newest, lines } = found;
  const batch = useCoreQuery(['approvals', 'batch', batchId], 'batch.read', { batchId }).data;
  const count = batch ? listRowsWithApproval(batch).length : 0;
  return (
    <RecordRow
      row={newest}
      isBroken={lines.some(({ rows }) => hasRow(rows, brokenAt))}
      isDated={isDated}
      {...describeBatch(batch)}
    >
      {(id) => (
        <ol id={id} className={styles.listings} aria-label={t('approvals.batch.listings', { count })}>
          {batch?.rows.map((row) => (
            <BatchListingRow key={row.listingId} row={row} found={found} brokenAt={brokenAt} isDated={isDated} />
          ))}
        </ol>
      )}
    </RecordRow>
  );
};

const EntryRow = ({ entry, ...shared }: Shared & { entry: RecordLine | BatchLines }) =>
  'batchId' in entry ? <BatchRecordRow found={entry} {...shared} /> : <LineRow line={entry} {...shared} />;

const findEntryKey = (entry: RecordLine | BatchLines): string | number =>
  'batchId' in entry ? entry.batchId : (entry.approvalIds?.at(-1) ?? entry.newest.seq);

/** The history of one listing. */
export const ListingRecordList = ({ label, rows }: { label: string; rows: readonly HistoryRow[] }) => (
  <ol className={styles.rows} aria-label={label}>
    {groupRecordLines(rows.map((row) => ({ ...row, title: null, photoUrl: null }))).map((line) => (
      <LineRow key={findEntryKey(line)} line={line} brokenAt={null} isDated={false} />
    ))}
  </ol>
);

type Entries = readonly (RecordLine | BatchLines)[];
type RecordDayProps = { at: number; entries: Entries; fees: HistoryPage['fees']; brokenAt: number | null };

const RecordDay = ({ at, entries, fees, brokenAt }: RecordDayProps) => {
  const id = useId();
  return (
    <>
      <h3 className={styles.day}>
        <span id={id}>{formatDayHeading(at, Date.now())}</span>
        {fees.length > 0 && (
          <span className={styles.fees}>
            {t('approvals.record.fees')} <b>{formatAmounts(fees)}</b>
          </span>
        )}
      </h3>
      <ol className={styles.rows} aria-labelledby={id}>
        {entries.map((entry) => (
          <EntryRow key={findEntryKey(entry)} entry={entry} brokenAt={brokenAt} isDated />
        ))}
      </ol>
    </>
  );
};

type RecordDaysProps = { pages: readonly HistoryPage[]; brokenAt: number | null };

/**
 * Every page has all fees of its days, so a day that two pages share has the fees of the later page. Memoized because the
 * section renders for each key of a search.
 */
export const RecordDays = memo(({ pages, brokenAt }: RecordDaysProps) => {
  const entries: Entries = mergeBatchLines(groupRecordLines(pages.flatMap(({ rows }) => rows)));
  return (
    <div role="group" aria-label={t('approvals.record.rows')}>
      {groupEntriesByDay(entries).map(({ day, at, entries: ofDay }) => (
        <RecordDay
          key={day}
          at={at}
          entries={ofDay}
          brokenAt={brokenAt}
          fees={
            pages.findLast(({ rows }) => rows.some((row) => row.day === day))?.fees.filter((one) => one.day === day) ??
            []
          }
        />
      ))}
    </div>
  );
});
RecordDays.displayName = 'RecordDays';
