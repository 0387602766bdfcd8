import { Button } from '@mantine/core';
import { IconAlertTriangle, IconFlask, IconPlugConnectedX, IconReceipt } from '@tabler/icons-react';
import { useState, type ReactNode } from 'react';
import type { AppState, BatchView } from '../api/types.ts';
import { Said } from '../parts/Said.tsx';
import { ConnectDialog } from '../screens/connect/ConnectDialog.tsx';
import { useBatches } from '../screens/approvals/batch/useBatches.ts';
import { endWords } from '../screens/approvals/batch/batchRows.ts';
import { usePrompts } from '../screens/approvals/usePrompts.ts';
import { askerOf } from '../screens/approvals/stateWords.ts';
import styles from './frame.module.css';

type LineProps = { icon: ReactNode; look?: boolean; children: ReactNode; action?: ReactNode };

const Line = ({ icon, look = false, children, action }: LineProps) => (
  <div className={styles.topLine} data-look={look || undefined} role="status">
    {icon}
    <span>{children}</span>
    {action}
  </div>
);

const Held = () => {
  const { held, show } = usePrompts();
  const first = held[0];
  if (!first) return null;
  return (
    <Line
      look
      icon={<IconReceipt size={16} aria-hidden />}
      action={
        <Button size="compact-sm" onClick={() => show(first.approvalId)}>
          Review
        </Button>
      }
    >
      {first.by.kind === 'person' ? 'Your request' : <Said text={askerOf(first)} fold={60} flag={false} />} is waiting
      for your answer{held.length > 1 && `, with ${held.length - 1} more`}.
    </Line>
  );
};

const batchWords = (batch: BatchView, off: ReadonlySet<string>): string =>
  batch.state === 'waiting'
    ? `Publishing ${batch.rows.length} listings waits for your answer.`
    : `Publishing ${batch.rows.length} listings: ${endWords(batch, off)}.`;

const HeldBatch = () => {
  const { held, off, show } = useBatches();
  if (!held) return null;
  return (
    <Line
      look={held.state === 'waiting'}
      icon={<IconReceipt size={16} aria-hidden />}
      action={
        <Button size="compact-sm" onClick={show}>
          {held.state === 'waiting' ? 'Review' : 'Show'}
        </Button>
      }
    >
      {batchWords(held, off)}
    </Line>
  );
};

const Reconnect = () => {
  const [open, setOpen] = useState(false);
  return (
    <Line
      look
      icon={<IconPlugConnectedX size={16} aria-hidden />}
      action={
        <Button size="compact-sm" onClick={() => setOpen(true)}>
          Connect again
        </Button>
      }
    >
      The service no longer knows this companion. Your items are safe; connect again to go on.
      {open && <ConnectDialog onClose={() => setOpen(false)} />}
    </Line>
  );
};

/** What the person should know on every screen, one quiet line each. */
export const TopLines = ({ state }: { state: AppState }) => (
  <div className={styles.topLines}>
    {state.service.kind === 'practice' && (
      <Line icon={<IconFlask size={16} aria-hidden />}>Practice service – nothing here is real</Line>
    )}
    {state.connection === 'reconnect' && <Reconnect />}
    {state.offline && (
      <Line look icon={<IconAlertTriangle size={16} aria-hidden />}>
        {state.offline}
      </Line>
    )}
    <Held />
    <HeldBatch />
  </div>
);
