import { formatMinorAmount } from '../../../components/text/format.ts';
import {
  sumRowFees,
  formatApproveLabel,
  listFeeNotices,
  getVisibleContentVersion,
  filterTickedRows,
  listApprovedRows,
  isBatchInFlight,
  formatBatchCountdown,
  noUnticked,
  type FeeTotals,
} from './batchRows.ts';
import { t } from '../../../i18n.ts';
import tables from '../tables.module.css';
import styles from './batch.module.css';
import { Button } from '@mantine/core';
import { useEffect, useRef, type RefObject } from 'react';
import type { BatchView } from '../../../api/call.ts';
import { UntrustedText, escapeHiddenText } from '../../../components/text/UntrustedText.tsx';
import {
  DeclineReasonsButton,
  PromptFooterLine,
  useIsApproveButtonArmed,
  UndoWindowCountdown,
  approveButtonProps,
} from '../ApprovalAnswerButtons.tsx';
import type { BatchActions } from './useBatches.ts';
import promptStyles from '../prompt.module.css';
import footerStyles from '../promptFooter.module.css';
import { useShownReport } from '../useShownReport.ts';
import { ErrorLine } from '../../../components/ScreenPage.tsx';
import type { PendingApproval } from '../approvalText.ts';
import type { FollowPrompt } from '../usePrompts.ts';

const BatchTotalsTable = ({ totals: { sums, free, unknown, count } }: { totals: FeeTotals }) => (
  <table
    className={tables.total}
    data-several={sums.length + Number(free > 0) + Number(unknown > 0) > 1 || undefined}
    aria-label={t('approvals.fees.name')}
  >
    <tbody>
      {sums.map((sum) => (
        <tr key={sum.currency}>
          <th scope="row">{t('approvals.batch.totalOf', { count: sum.count })}</th>
          <td>{formatMinorAmount(sum.totalMinor, sum.currency)}</td>
        </tr>
      ))}
      {free > 0 && (
        <tr>
          <th scope="row">{t('approvals.batch.listings', { count: free })}</th>
          <td>{t('approvals.fees.free')}</td>
        </tr>
      )}
      {unknown > 0 && (
        <tr data-words>
          <th scope="row">{t('approvals.batch.listings', { count: unknown })}</th>
          <td>{t('approvals.batch.feeUnchecked')}</td>
        </tr>
      )}
      {count === 0 && (
        <tr data-words>
          <th scope="row">{t('approvals.fees.total')}</th>
          <td>{t('approvals.batch.noneTicked')}</td>
        </tr>
      )}
    </tbody>
  </table>
);

type PendingBatchFooterProps = {
  batch: BatchView;
  off: ReadonlySet<string>;
  acts: BatchActions;
  list: RefObject<HTMLElement | null>;
  more: number;
  onLater: () => void;
};

const PendingBatchFooter = ({ batch, off, acts, list, more, onLater }: PendingBatchFooterProps) => {
  const later = useRef<HTMLButtonElement>(null);
  const shown = getVisibleContentVersion(batch);
  const pending = filterTickedRows(batch.rows, noUnticked);
  const { windowSession, problem } = useShownReport(
    pending.map(({ approval }) => approval),
    list,
  );
  const armed = useIsApproveButtonArmed(windowSession && `${windowSession} ${shown}`);
  const ticked = filterTickedRows(batch.rows, off);
  const isFinal = ticked.some(({ approval }) => approval.prompt.final);
  const busy = acts.approve.isPending || acts.close.isPending;
  const until = Math.min(...pending.map(({ approval }) => approval.expiresAt));
  useEffect(() => later.current?.focus(), [shown]);
  return (
    <>
      <ErrorLine error={problem} />
      {listFeeNotices(ticked).map((notice) => (
        <section key={notice} className={promptStyles.notice} aria-label={t('approvals.feeNotice')}>
          <UntrustedText text={notice} />
        </section>
      ))}
      <BatchTotalsTable totals={sumRowFees(ticked)} />
      {Number.isFinite(until) && (
        <PromptFooterLine final={isFinal ? t('approvals.cannotUndo') : null} until={until} more={more} />
      )}
      <div className={footerStyles.answers}>
        <Button ref={later} data-autofocus size="md" onClick={onLater}>
          {t('approvals.notNow')}
        </Button>
        <DeclineReasonsButton byAssistant={batch.by.kind === 'assistant'} busy={busy} onDecline={acts.close.mutate} />
        <Button
          {...approveButtonProps}
          className={footerStyles.yes}
          variant="filled"
          color={isFinal ? 'red' : 'green'}
          size="md"
          disabled={!armed || busy || ticked.length === 0}
          loading={acts.approve.isPending}
          onClick={() =>
            acts.approve.mutate(
              ticked.map(({ approval }) => ({ approvalId: approval.approvalId, digest: approval.digest })),
            )
          }
        >
          {escapeHiddenText(formatApproveLabel(ticked))}
        </Button>
      </div>
    </>
  );
};

type BatchFooterProps = {
  batch: BatchView;
  off: ReadonlySet<string>;
  acts: BatchActions;
  /** The element that scrolls the lines of the batch. */
  list: RefObject<HTMLElement | null>;
  others: readonly PendingApproval[];
  onFollow: FollowPrompt;
  onClose: () => void;
};

/** The focus starts on the button that changes nothing. */
const SendingBatchFooter = ({ batch, acts, onClose }: BatchFooterProps) => {
  const hide = useRef<HTMLButtonElement>(null);
  useEffect(() => hide.current?.focus(), []);
  const stopping = batch.state === 'stopping';
  return (
    <div className={footerStyles.others}>
      <Button size="md" disabled={stopping || acts.stop.isPending} onClick={() => acts.stop.mutate()}>
        {stopping ? t('approvals.batch.stopping') : t('approvals.batch.stop')}
      </Button>
      <Button ref={hide} data-autofocus size="md" variant="quiet" onClick={onClose}>
        {t('approvals.batch.background')}
      </Button>
    </div>
  );
};

const FinishedBatchFooter = ({ batch, acts, others, onFollow }: BatchFooterProps) => {
  const close = useRef<HTMLButtonElement>(null);
  const onward = useRef<HTMLButtonElement>(null);
  useEffect(() => (onward.current ?? close.current)?.focus(), []);
  const [next] = others;
  return (
    <div className={footerStyles.others}>
      <Button
        ref={close}
        data-autofocus
        size="md"
        disabled={acts.close.isPending}
        onClick={() => acts.close.mutate('no')}
      >
        {t('approvals.close')}
      </Button>
      {next && (
        <Button
          ref={onward}
          size="md"
          variant="quiet"
          disabled={acts.close.isPending}
          onClick={() => {
            onFollow(next, batch.batchId);
            acts.close.mutate('no');
          }}
        >
          {t('approvals.next', { count: others.length })}
        </Button>
      )}
    </div>
  );
};

/** All approved rows of a batch have the same confirmation. */
const BatchConfirmation = ({ batch: { rows } }: { batch: BatchView }) => {
  const confirmedBy = rows.map(({ approval }) => approval?.confirmedBy ?? null).find((by) => by !== null);
  return confirmedBy && <p className={promptStyles.small}>{t(`proof.by.${confirmedBy}`)}</p>;
};

export const BatchPromptFooter = (props: BatchFooterProps) => {
  const { batch, off, acts, list, others, onClose } = props;
  const { heldUntil } = batch;
  const sending = isBatchInFlight(batch);
  const asking = !sending && (batch.state === 'waiting' || filterTickedRows(batch.rows, off).length > 0);
  const problem = acts.problem && <ErrorLine error={acts.problem} />;
  if (batch.state === 'held' && heldUntil !== null)
    return (
      <div className={footerStyles.foot}>
        {problem}
        <BatchTotalsTable totals={sumRowFees(listApprovedRows(batch.rows))} />
        <UndoWindowCountdown
          until={heldUntil}
          words={(s) => formatBatchCountdown(batch, s)}
          busy={acts.takeBack.isPending}
          more={others.length}
          onNext={() => others[0] && props.onFollow(others[0], batch.batchId)}
          onTakeBack={() => acts.takeBack.mutate()}
          onClose={onClose}
        />
      </div>
    );
  const approved = listApprovedRows(batch.rows);
  return (
    <div className={footerStyles.foot}>
      {problem}
      {batch.interrupted > 0 && (
        <p role="status" className={styles.status}>
          {t('approvals.batch.interrupted', { count: batch.interrupted })}
        </p>
      )}
      {batch.state !== 'waiting' && <BatchConfirmation batch={batch} />}
      {!asking && approved.length > 0 && <BatchTotalsTable totals={sumRowFees(approved)} />}
      {asking && <PendingBatchFooter {...{ batch, off, acts, list }} more={others.length} onLater={onClose} />}
      {sending && <SendingBatchFooter {...props} />}
      {!asking && !sending && <FinishedBatchFooter {...props} />}
    </div>
  );
};
