import { formatMinor } from '../../../components/text/format.ts';
import {
  totalsOfRows,
  approveLabel,
  noticesOf,
  shownText,
  tickedRows,
  endText,
  isSending,
  heldText,
  type Totals,
} from './batchRows.ts';
import { t } from '../../../i18n.ts';
import tables from '../tables.module.css';
import styles from './batch.module.css';
import { Button } from '@mantine/core';
import { useEffect, useRef } from 'react';
import { type BatchView, sentenceOf } from '../../../api/call.ts';
import { UntrustedText, escapedText } from '../../../components/text/UntrustedText.tsx';
import { DeclineButton, FooterLine, useArmed, HoldCountdown, yesButton } from '../Decide.tsx';
import type { BatchActs } from './useBatches.ts';
import receipt from '../receipt.module.css';
import { ProblemLine } from '../../../components/Page.tsx';
import type { Question } from '../approvalText.ts';
import type { Follow } from '../useQuestions.ts';

/** The total of the ticked rows, one line for each currency. Always shown, even without fees. */
const BatchTotal = ({ totals: { sums, free, unknown, count } }: { totals: Totals }) => (
  <table
    className={`${tables.fees} ${styles.total}`}
    data-several={sums.length + Number(free > 0) + Number(unknown > 0) > 1 || undefined}
    aria-label={t('approvals.fees.name')}
  >
    <tfoot>
      {sums.map((sum) => (
        <tr key={sum.currency}>
          <th scope="row">{t('approvals.batch.totalOf', { count: sum.count })}</th>
          <td>{formatMinor(sum.totalMinor, sum.currency)}</td>
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
    </tfoot>
  </table>
);

type AskingBatchProps = {
  batch: BatchView;
  off: ReadonlySet<string>;
  acts: BatchActs;
  more: number;
  onLater: () => void;
};

const everyRow: ReadonlySet<string> = new Set();

/** The answer buttons of a batch, with the total and the fee notices above them. */
const AskingBatch = ({ batch, off, acts, more, onLater }: AskingBatchProps) => {
  const later = useRef<HTMLButtonElement>(null);
  const shown = shownText(batch);
  const armed = useArmed(shown);
  const ticked = tickedRows(batch.rows, off);
  const isFinal = ticked.some(({ approval }) => approval.prompt.final);
  const busy = acts.approve.isPending || acts.close.isPending;
  const until = Math.min(...tickedRows(batch.rows, everyRow).map(({ approval }) => approval.expiresAt));
  useEffect(() => later.current?.focus(), [shown]);
  return (
    <>
      {noticesOf(ticked).map((notice) => (
        <section key={notice} className={receipt.notice} aria-label={t('approvals.feeNotice')}>
          <UntrustedText text={notice} />
        </section>
      ))}
      <BatchTotal totals={totalsOfRows(ticked)} />
      {Number.isFinite(until) && <FooterLine final={isFinal} until={until} more={more} />}
      <div className={receipt.answers}>
        <Button ref={later} data-autofocus size="md" onClick={onLater}>
          {t('approvals.notNow')}
        </Button>
        <DeclineButton byAssistant={batch.by.kind === 'assistant'} busy={busy} onDecline={acts.close.mutate} />
        <Button
          {...yesButton}
          className={receipt.yes}
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
          {escapedText(approveLabel(ticked))}
        </Button>
      </div>
    </>
  );
};

type BatchFooterProps = {
  batch: BatchView;
  off: ReadonlySet<string>;
  acts: BatchActs;
  others: readonly Question[];
  onFollow: Follow;
  onClose: () => void;
};

/** The buttons while the batch is sent. The focus starts on the one that changes nothing. */
const Under = ({ batch, acts, onClose }: BatchFooterProps) => {
  const hide = useRef<HTMLButtonElement>(null);
  useEffect(() => hide.current?.focus(), []);
  const stopping = batch.state === 'stopping';
  return (
    <div className={receipt.others}>
      <Button size="md" disabled={stopping || acts.stop.isPending} onClick={() => acts.stop.mutate()}>
        {stopping ? t('approvals.batch.stopping') : t('approvals.batch.stop')}
      </Button>
      <Button ref={hide} data-autofocus size="md" variant="quiet" onClick={onClose}>
        {t('approvals.batch.background')}
      </Button>
    </div>
  );
};

/** The buttons after the batch is sent; "Next" opens the next pending approval. */
const Over = ({ batch, acts, others, onFollow }: BatchFooterProps) => {
  const close = useRef<HTMLButtonElement>(null);
  const onward = useRef<HTMLButtonElement>(null);
  useEffect(() => (onward.current ?? close.current)?.focus(), []);
  const [next] = others;
  return (
    <div className={receipt.others}>
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

/** Returns the outcome of the last approval of the batch. */
const footText = (batch: BatchView, off: ReadonlySet<string>): string => {
  if (batch.interrupted > 0) return t('approvals.batch.interrupted', { count: batch.interrupted });
  return batch.state === 'waiting' ? '' : `${endText(batch, off)}.`;
};

/**
 * The footer of a batch: the answer buttons, the countdown of the undo window, the stop button while it is sent, or the
 * close button.
 */
export const BatchFooter = (props: BatchFooterProps) => {
  const { batch, off, acts, others, onClose } = props;
  const { heldUntil } = batch;
  const sending = isSending(batch);
  const asking = !sending && (batch.state === 'waiting' || tickedRows(batch.rows, off).length > 0);
  const problem = acts.problem && <ProblemLine>{sentenceOf(acts.problem)}</ProblemLine>;
  if (batch.state === 'held' && heldUntil !== null)
    return (
      <>
        {problem}
        <HoldCountdown
          until={heldUntil}
          words={(s) => heldText(batch, s)}
          busy={acts.takeBack.isPending}
          more={others.length}
          onNext={() => others[0] && props.onFollow(others[0], batch.batchId)}
          onTakeBack={() => acts.takeBack.mutate()}
          onClose={onClose}
        />
      </>
    );
  return (
    <div className={receipt.foot}>
      {problem}
      <p role="status" className={styles.status}>
        {footText(batch, off)}
      </p>
      {asking && <AskingBatch batch={batch} off={off} acts={acts} more={others.length} onLater={onClose} />}
      {sending && <Under {...props} />}
      {!asking && !sending && <Over {...props} />}
    </div>
  );
};
