import { Modal } from '@mantine/core';
import { useRef } from 'react';
import type { BatchView } from '../../../api/types.ts';
import type { OpenPrompt } from '../usePrompts.ts';
import { useWaiting } from '../useWaiting.ts';
import { BatchFoot } from './BatchFoot.tsx';
import { BatchHead } from './BatchHead.tsx';
import { BatchList } from './BatchList.tsx';
import { groupRows } from './batchGroups.ts';
import { useBatchActs } from './useBatchActs.ts';
import type { Ticks } from './useTicks.ts';
import { t } from '../../../i18n/t.ts';
import receipt from '../receipt.module.css';
import styles from './batch.module.css';

type Props = Ticks & { batch: BatchView; onFollow: (to: OpenPrompt) => void; onClose: () => void };

/** One question about many listings: a receipt with a group for each act, a line for each listing, and one yes. */
export const BatchSheet = ({ batch, off, onTick, onFollow, onClose }: Props) => {
  const frame = useRef<HTMLDivElement>(null);
  const acts = useBatchActs(batch, onClose);
  const others = useWaiting().filter(({ id }) => id !== batch.batchId);
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
