import { Modal } from '@mantine/core';
import type { BatchView } from '../../../api/types.ts';
import { UntrustedText } from '../../../parts/UntrustedText.tsx';
import { OwnWords } from '../OwnWords.tsx';
import { WhoAsks } from '../WhoAsks.tsx';
import { actWords, arePublishes, groupRows, headOf } from './batchGroups.ts';
import { isSending, tickedOf } from './batchRows.ts';
import type { Ticks } from './useTicks.ts';
import { t } from '../../../i18n/t.ts';
import receipt from '../receipt.module.css';
import styles from './batch.module.css';

type Props = Ticks & { batch: BatchView };

const everyRow: ReadonlySet<string> = new Set();

/** Ticks every line that can be part of the yes, or none. */
const TickAll = ({ batch, off, onTick }: Props) => {
  const can = tickedOf(batch.rows, everyRow);
  const ticked = tickedOf(batch.rows, off).length;
  const count = batch.rows.filter(({ approval }) => approval === null).length;
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
      {count > 0 && (
        <span className={styles.unable}>
          {t(arePublishes(batch.rows) ? 'approvals.batch.unable' : 'approvals.batch.unableOther', { count })}
        </span>
      )}
    </div>
  );
};

/** Who asks and when, what is asked, and an assistant's reason as its words. */
export const BatchHead = (props: Props) => {
  const { batch } = props;
  const groups = groupRows(batch.rows);
  const [only] = groups;
  const heading = groups.length === 1 && only ? headOf(only) : actWords(groups);
  return (
    <div className={`${receipt.receipt} ${styles.head}`}>
      <WhoAsks {...batch} />
      <section className={receipt.section}>
        <Modal.Title className={receipt.act}>
          <UntrustedText text={heading} flag={false} />
        </Modal.Title>
      </section>
      <OwnWords reason={batch.reason} />
      <TickAll {...props} />
    </div>
  );
};
