import { Modal } from '@mantine/core';
import type { BatchView } from '../../../api/types.ts';
import { UntrustedText } from '../../../components/text/UntrustedText.tsx';
import { OwnWords } from '../Receipt.tsx';
import { WhoAsks } from '../WhoAsks.tsx';
import { actWords, arePublishes, groupRows, headOf, isSending, tickedOf } from './batchRows.ts';
import { type Ticks, useBatchActs } from './useBatches.ts';
import { t } from '../../../i18n/t.ts';
import receipt from '../receipt.module.css';
import styles from './batch.module.css';
import { useRef } from 'react';
import type { OpenPrompt } from '../usePrompts.ts';
import { useWaitingQuestions } from '../useQuestions.ts';
import { BatchFoot } from './BatchFoot.tsx';
import { BatchList } from './BatchList.tsx';

type BatchHeadProps = Ticks & { batch: BatchView };

const everyRow: ReadonlySet<string> = new Set();

/** Ticks every line that can be part of the yes, or none. */
const TickAll = ({ batch, off, onTick }: BatchHeadProps) => {
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
export const BatchHead = (props: BatchHeadProps) => {
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

type BatchSheetProps = Ticks & { batch: BatchView; onFollow: (to: OpenPrompt) => void; onClose: () => void };

/** One question about many listings: a receipt with a group for each act, a line for each listing, and one yes. */
export const BatchSheet = ({ batch, off, onTick, onFollow, onClose }: BatchSheetProps) => {
  const frame = useRef<HTMLDivElement>(null);
  const acts = useBatchActs(batch, onClose);
  const others = useWaitingQuestions().filter(({ id }) => id !== batch.batchId);
  /** Escape leaves what an assistant asks, and takes back what the person asked. */
  const onEscape = (): void => {
    const isOwn = batch.by.kind === 'person' && batch.state === 'waiting' && !acts.approve.isPending;
    if (isOwn) acts.close.mutate('no');
    else onClose();
  };
  return (
    <Modal.Root
      opened
      onClose={onEscape}
      closeOnClickOutside={false}
      centered
      size={640}
      padding={0}
      classNames={{ inner: receipt.around, content: receipt.sheet, body: receipt.body }}
    >
      <Modal.Overlay className={receipt.overlay} />
      <Modal.Content>
        <Modal.Body ref={frame} tabIndex={0} aria-label={t('approvals.asked')} className={styles.frame}>
          <BatchHead batch={batch} off={off} onTick={onTick} />
          {groupRows(batch.rows).map((group, _at, { length }) => (
            <BatchList key={group.route} {...{ batch, group, off, onTick, frame }} alone={length === 1} />
          ))}
        </Modal.Body>
        <BatchFoot {...{ batch, off, acts, others, onFollow, onClose }} />
      </Modal.Content>
    </Modal.Root>
  );
};
