import { useMutation, useQueryClient } from '@tanstack/react-query';
import { Button } from '@mantine/core';
import { IconAlertTriangle, IconFlask, IconPlayerPause, IconPlugConnectedX } from '@tabler/icons-react';
import { useState } from 'react';
import { call } from '../api/call.ts';
import type { AppState } from '../api/types.ts';
import { usePause } from '../api/usePause.ts';
import { ConnectDialog } from '../screens/connect/ConnectDialog.tsx';
import { AlarmLine } from '../screens/approvals/record/AlarmLine.tsx';
import { timeWords } from '../i18n/locale.ts';
import { t } from '../i18n/t.ts';
import { ApprovalLines } from './ApprovalLines.tsx';
import { Line } from './Line.tsx';
import { Offers } from './Offers.tsx';
import styles from './frame.module.css';

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
    <ApprovalLines />
  </div>
);
