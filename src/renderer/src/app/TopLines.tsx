import { useMutation, useQueryClient } from '@tanstack/react-query';
import { Trans } from 'react-i18next';
import { Button } from '@mantine/core';
import { IconAlertTriangle, IconFlask, IconPlayerPause, IconPlugConnectedX, IconReceipt } from '@tabler/icons-react';
import { useState } from 'react';
import { call } from '../api/call.ts';
import type { AppState, BatchView } from '../api/types.ts';
import { usePause } from '../api/usePause.ts';
import { Said } from '../parts/Said.tsx';
import { ConnectDialog } from '../screens/connect/ConnectDialog.tsx';
import { useBatches } from '../screens/approvals/batch/useBatches.ts';
import { kindOf } from '../screens/approvals/batch/kindOf.ts';
import { endWords } from '../screens/approvals/batch/batchRows.ts';
import { AlarmLine } from '../screens/approvals/record/AlarmLine.tsx';
import { usePrompts } from '../screens/approvals/usePrompts.ts';
import { askerOf } from '../screens/approvals/stateWords.ts';
import { timeWords } from '../i18n/locale.ts';
import { t } from '../i18n/t.ts';
import { Line } from './Line.tsx';
import { Offers } from './Offers.tsx';
import styles from './frame.module.css';

const Held = () => {
  const { held, show } = usePrompts();
  const first = held[0];
  if (!first) return null;
  const more = held.length - 1;
  return (
    <Line
      look
      icon={<IconReceipt size={16} aria-hidden />}
      action={
        <Button size="compact-sm" onClick={() => show(first.approvalId)}>
          {t('app.line.review')}
        </Button>
      }
    >
      {first.by.kind === 'person' ? (
        t(more > 0 ? 'app.line.ownWaitsMore' : 'app.line.ownWaits', { count: more })
      ) : (
        <Trans
          i18nKey={more > 0 ? 'app.line.waitsMore' : 'app.line.waits'}
          count={more}
          components={{ name: <Said text={askerOf(first)} fold={60} flag={false} /> }}
        />
      )}
    </Line>
  );
};

const batchWords = (batch: BatchView, off: ReadonlySet<string>): string => {
  const count = batch.rows.length;
  const isPublish = kindOf(batch) === 'publish';
  if (batch.state === 'waiting') return t(isPublish ? 'app.line.batchWaits' : 'app.line.changesWait', { count });
  return t(isPublish ? 'app.line.batch' : 'app.line.changes', { count, words: endWords(batch, off) });
};

const HeldBatch = () => {
  const { held, off, show } = useBatches();
  if (!held) return null;
  return (
    <Line
      look={held.state === 'waiting'}
      icon={<IconReceipt size={16} aria-hidden />}
      action={
        <Button size="compact-sm" onClick={show}>
          {held.state === 'waiting' ? t('app.line.review') : t('app.line.show')}
        </Button>
      }
    >
      {batchWords(held, off)}
    </Line>
  );
};

const Paused = () => {
  const { mutate, isPending } = usePause();
  return (
    <Line
      look
      icon={<IconPlayerPause size={16} aria-hidden />}
      action={
        <Button size="compact-sm" loading={isPending} onClick={() => mutate(false)}>
          {t('app.line.resume')}
        </Button>
      }
    >
      {t('app.line.paused')}
    </Line>
  );
};

const Repaired = ({ from }: { from: number | null }) => {
  const client = useQueryClient();
  const seen = useMutation({
    mutationFn: () => call('backups.repairSeen', {}),
    onSuccess: () => client.invalidateQueries({ queryKey: ['app'] }),
  });
  return (
    <Line
      look
      icon={<IconAlertTriangle size={16} aria-hidden />}
      action={
        <Button size="compact-sm" loading={seen.isPending} onClick={() => seen.mutate()}>
          {t('app.line.repairSeen')}
        </Button>
      }
    >
      {from === null ? t('app.line.repairedEmpty') : t('app.line.repaired', { when: timeWords(from) })}
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
          {t('app.line.connectAgain')}
        </Button>
      }
    >
      {t('app.line.reconnect')}
      {open && <ConnectDialog onClose={() => setOpen(false)} />}
    </Line>
  );
};

/** The copy that a repair took is told already, with the repair. */
const isOfRepair = ({ repaired, ledgerAlarm }: AppState): boolean =>
  repaired !== null && ledgerAlarm?.kind === 'rolledBack';

/** What the person should know on every screen, one quiet line each. */
export const TopLines = ({ state }: { state: AppState }) => (
  <div className={styles.topLines}>
    {state.service.kind === 'practice' && (
      <Line icon={<IconFlask size={16} aria-hidden />}>{t('app.line.practice')}</Line>
    )}
    {state.connection === 'reconnect' && <Reconnect />}
    {state.offline && (
      <Line look icon={<IconAlertTriangle size={16} aria-hidden />}>
        {t('app.line.offline')}
      </Line>
    )}
    {state.repaired && <Repaired from={state.repaired.from} />}
    {state.ledgerAlarm && !isOfRepair(state) && <AlarmLine alarm={state.ledgerAlarm} />}
    {state.paused && <Paused />}
    <Offers />
    <Held />
    <HeldBatch />
  </div>
);
