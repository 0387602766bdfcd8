import { Modal } from '@mantine/core';
import { useRef, useState } from 'react';
import type { BatchView } from '../../../api/types.ts';
import { BatchFoot } from './BatchFoot.tsx';
import { BatchHead } from './BatchHead.tsx';
import { BatchList } from './BatchList.tsx';
import { inOrder, isSending } from './batchRows.ts';
import receipt from '../receipt.module.css';
import styles from './batch.module.css';

type Props = { batch: BatchView; onHide: () => void };

/** One question about many listings: a receipt with a line each, and one yes for the ticked ones. */
export const BatchSheet = ({ batch, onHide }: Props) => {
  const frame = useRef<HTMLDivElement>(null);
  const [off, setOff] = useState<ReadonlySet<string>>(new Set());
  const tick = (listingIds: readonly string[], on: boolean): void =>
    setOff((before) => {
      const next = new Set(before);
      for (const listingId of listingIds)
        if (on) next.delete(listingId);
        else next.add(listingId);
      return next;
    });
  return (
    <Modal.Root
      opened
      onClose={onHide}
      closeOnClickOutside={false}
      centered
      size={640}
      padding={0}
      classNames={{ inner: receipt.around, content: receipt.sheet, body: receipt.body }}
    >
      <Modal.Overlay className={receipt.overlay} />
      <Modal.Content>
        <Modal.Body ref={frame} tabIndex={0} aria-label="What is asked" className={styles.frame}>
          <BatchHead batch={batch} off={off} onTick={tick} />
          <BatchList rows={inOrder(batch, off)} sending={isSending(batch)} off={off} onTick={tick} frame={frame} />
        </Modal.Body>
        <BatchFoot batch={batch} off={off} onHide={onHide} />
      </Modal.Content>
    </Modal.Root>
  );
};
