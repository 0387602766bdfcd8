import { Modal } from '@mantine/core';
import { useRef } from 'react';
import type { BatchView } from '../../../api/types.ts';
import { BatchFoot } from './BatchFoot.tsx';
import { BatchHead } from './BatchHead.tsx';
import { BatchList } from './BatchList.tsx';
import { inOrder, isSending } from './batchRows.ts';
import { t } from '../../../i18n/t.ts';
import receipt from '../receipt.module.css';
import styles from './batch.module.css';

export type OnTick = (listingIds: readonly string[], on: boolean) => void;
type Props = { batch: BatchView; off: ReadonlySet<string>; onTick: OnTick; onHide: () => void };

/** One question about many listings: a receipt with a line each, and one yes for the ticked ones. */
export const BatchSheet = ({ batch, off, onTick, onHide }: Props) => {
  const frame = useRef<HTMLDivElement>(null);
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
        <Modal.Body ref={frame} tabIndex={0} aria-label={t('approvals.asked')} className={styles.frame}>
          <BatchHead batch={batch} off={off} onTick={onTick} />
          <BatchList rows={inOrder(batch, off)} sending={isSending(batch)} off={off} onTick={onTick} frame={frame} />
        </Modal.Body>
        <BatchFoot batch={batch} off={off} onHide={onHide} />
      </Modal.Content>
    </Modal.Root>
  );
};
