import { Button } from '@mantine/core';
import { useEffect, useRef } from 'react';
import { sentenceOf } from '../../../api/callError.ts';
import type { BatchView } from '../../../api/types.ts';
import { formatMinor } from '../../../parts/money.ts';
import { ProblemLine } from '../../../parts/ProblemLine.tsx';
import { Said } from '../../../parts/Said.tsx';
import { useArmed } from '../useArmed.ts';
import { endWords, isSending, noticesOf, shownOf, tickedOf } from './batchRows.ts';
import { totalsOf, yesOf, yesToChanges, type Totals } from './totals.ts';
import { kindOf } from './kindOf.ts';
import { useBatchActs } from './useBatchActs.ts';
import { t } from '../../../i18n/t.ts';
import receipt from '../receipt.module.css';
import tables from '../tables.module.css';
import styles from './batch.module.css';

type Props = { batch: BatchView; off: ReadonlySet<string>; onHide: () => void };
type Acts = ReturnType<typeof useBatchActs>;

/** The money of the ticked lines, a line each currency. */
const Total = ({ totals: { sums, free, unknown } }: { totals: Totals }) => (
  <table className={`${tables.fees} ${styles.total}`} aria-label={t('approvals.fees.name')}>
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
    </tfoot>
  </table>
);

const Asking = ({ batch, off, onHide, acts }: Props & { acts: Acts }) => {
  const later = useRef<HTMLButtonElement>(null);
  const shown = shownOf(batch);
  const armed = useArmed(shown);
  const ticked = tickedOf(batch.rows, off);
  const totals = totalsOf(ticked.map(({ approval }) => approval.prompt.money));
  const isPublish = kindOf(batch) === 'publish';
  const isFinal = ticked.some(({ approval }) => approval.prompt.final);
  const busy = acts.approve.isPending || acts.close.isPending;
  useEffect(() => later.current?.focus(), [shown]);
  return (
    <>
      {noticesOf(ticked).map((notice) => (
        <section key={notice} className={receipt.notice} aria-label={t('approvals.feeNotice')}>
          <Said text={notice} />
        </section>
      ))}
      {isPublish && <Total totals={totals} />}
      <div className={receipt.answers}>
        <Button ref={later} data-autofocus size="md" onClick={onHide}>
          {t('approvals.notNow')}
        </Button>
        <Button variant="quiet" size="md" px="sm" disabled={busy} onClick={() => acts.close.mutate()}>
          {t('approvals.decline')}
        </Button>
        <Button
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
          {isPublish ? yesOf(totals) : yesToChanges(ticked.length)}
        </Button>
      </div>
    </>
  );
};

/** The focus goes to what changes nothing. */
const Under = ({ batch, onHide, acts }: Props & { acts: Acts }) => {
  const hide = useRef<HTMLButtonElement>(null);
  useEffect(() => hide.current?.focus(), []);
  const stopping = batch.state === 'stopping';
  return (
    <div className={receipt.others}>
      <Button size="md" disabled={stopping || acts.stop.isPending} onClick={() => acts.stop.mutate()}>
        {stopping ? t('approvals.batch.stopping') : t('approvals.batch.stop')}
      </Button>
      <Button ref={hide} size="md" variant="quiet" onClick={onHide}>
        {t('approvals.batch.background')}
      </Button>
    </div>
  );
};

const Over = ({ acts }: { acts: Acts }) => {
  const close = useRef<HTMLButtonElement>(null);
  useEffect(() => close.current?.focus(), []);
  return (
    <div className={receipt.others}>
      <Button ref={close} size="md" disabled={acts.close.isPending} onClick={() => acts.close.mutate()}>
        {t('approvals.close')}
      </Button>
    </div>
  );
};

/** The answers to a batch; while it is sent, how to stop; after it, how to close it. */
export const BatchFoot = (props: Props) => {
  const { batch, off, onHide } = props;
  const acts = useBatchActs(batch, onHide);
  const sending = isSending(batch);
  const asking = !sending && (batch.state === 'waiting' || tickedOf(batch.rows, off).length > 0);
  return (
    <div className={receipt.foot}>
      {acts.problem && <ProblemLine>{sentenceOf(acts.problem)}</ProblemLine>}
      <p role="status" className={styles.status}>
        {batch.state === 'waiting' ? '' : `${endWords(batch, off)}.`}
      </p>
      {asking && <Asking {...props} acts={acts} />}
      {sending && <Under {...props} acts={acts} />}
      {!asking && !sending && <Over acts={acts} />}
    </div>
  );
};
