import { Modal } from '@mantine/core';
import type { BatchView } from '../../../api/types.ts';
import { Ago } from '../../../parts/Ago.tsx';
import { timeLeft } from '../../../parts/ago.ts';
import { Said } from '../../../parts/Said.tsx';
import { useNow } from '../../../parts/useNow.ts';
import { isSending, onceOf, tickedOf } from './batchRows.ts';
import { t } from '../../../i18n/t.ts';
import { kindOf } from './kindOf.ts';
import receipt from '../receipt.module.css';
import styles from './batch.module.css';

type Props = {
  batch: BatchView;
  off: ReadonlySet<string>;
  onTick: (listingIds: readonly string[], on: boolean) => void;
};

const titles = {
  publish: 'approvals.batch.title',
  change: 'approvals.batch.titleChange',
  end: 'approvals.batch.titleEnd',
} as const;

const everyRow: ReadonlySet<string> = new Set();

const TimeLeft = ({ until }: { until: number }) => {
  const now = useNow(5_000);
  return <p>{timeLeft(until, now)}</p>;
};

/** Ticks every line that can be published, or none. */
const TickAll = ({ batch, off, onTick }: Props) => {
  const can = tickedOf(batch.rows, everyRow);
  const ticked = tickedOf(batch.rows, off).length;
  const unable = batch.rows.filter(({ approval }) => approval === null).length;
  if (can.length === 0 || isSending(batch)) return null;
  return (
    <div className={styles.all}>
      <label>
        <input
          type="checkbox"
          checked={ticked === can.length}
          ref={(box) => {
            if (box) box.indeterminate = ticked > 0 && ticked < can.length;
          }}
          onChange={(event) =>
            onTick(
              can.map(({ listingId }) => listingId),
              event.currentTarget.checked,
            )
          }
        />
        {t('approvals.batch.ticked', { count: ticked, of: can.length })}
      </label>
      {unable > 0 && <span className={styles.unable}>{t('approvals.batch.unable', { count: unable })}</span>}
    </div>
  );
};

/** Who asked and when, what is asked, and what a yes leads to. */
export const BatchHead = (props: Props) => {
  const { batch, off } = props;
  const waiting = tickedOf(batch.rows, everyRow);
  const said = tickedOf(batch.rows, off);
  return (
    <div className={`${receipt.receipt} ${styles.head}`}>
      <header className={receipt.who}>
        <div>
          <p>
            <b>{t('approvals.youAsked')}</b>
          </p>
          <p className={receipt.small}>
            <Ago at={batch.askedAt} />
          </p>
        </div>
        {waiting.length > 0 && !isSending(batch) && (
          <div className={receipt.left}>
            <TimeLeft until={Math.min(...waiting.map(({ approval }) => approval.expiresAt))} />
          </div>
        )}
      </header>
      <section className={receipt.section}>
        <Modal.Title className={receipt.act}>{t(titles[kindOf(batch)], { count: batch.rows.length })}</Modal.Title>
        {!isSending(batch) &&
          [...onceOf(said, 'consequence'), ...onceOf(said, 'undo')].map((sentence) => (
            <p key={sentence}>
              <Said text={sentence} />
            </p>
          ))}
      </section>
      <TickAll {...props} />
    </div>
  );
};
