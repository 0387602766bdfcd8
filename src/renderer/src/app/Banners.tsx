import type { AppState } from '../api/types.ts';
import { t } from '../i18n/t.ts';
import { Button } from '@mantine/core';
import {
  IconAlertTriangle,
  IconExternalLink,
  IconFlask,
  IconPlayerPause,
  IconPlugConnectedX,
} from '@tabler/icons-react';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { call, sentenceOf } from '../api/call.ts';
import { Banner } from './Banner.tsx';
import { Trans } from 'react-i18next';
import { useOffers } from '../api/queries.ts';
import { UntrustedText } from '../components/text/UntrustedText.tsx';
import styles from './frame.module.css';
import { useState } from 'react';
import { usePause } from '../api/usePause.ts';
import { ConnectDialog } from '../screens/connect/ConnectDialog.tsx';
import { timeWords } from '../i18n/locale.ts';
import { ApprovalBanners } from './ApprovalBanners.tsx';

type LedgerAlarm = NonNullable<AppState['ledgerAlarm']>;

/** What is wrong with the record, and what that may mean. */
const alarmWords = ({ kind, rows, keptRows: kept, row, copy }: LedgerAlarm): string => {
  if (kind === 'rolledBack' && copy === null) return t('approvals.alarm.emptied');
  const values = { copy: copy ?? '', rows, kept: kept ?? 0, row: row ?? 0 };
  return t(`approvals.alarm.${kind === 'rolledBack' && values.kept <= rows ? 'restored' : kind}`, values);
};

/** What is wrong with the record, until the person has read it. */
const AlarmBanner = ({ alarm }: { alarm: LedgerAlarm }) => {
  const client = useQueryClient();
  const seen = useMutation({
    mutationFn: () => call('history.acknowledge', {}),
    onSuccess: () => Promise.all(['app', 'approvals'].map((topic) => client.invalidateQueries({ queryKey: [topic] }))),
  });
  return (
    <Banner
      look
      icon={<IconAlertTriangle size={16} aria-hidden />}
      action={
        <Button size="compact-sm" loading={seen.isPending} onClick={() => seen.mutate()}>
          {t('app.line.repairSeen')}
        </Button>
      }
    >
      {alarmWords(alarm)}
    </Banner>
  );
};

type Act = 'offers.open' | 'offers.dismiss';

/** A page that an assistant asked for and only the person may open: who, what, and where it lies. */
const OfferBanner = () => {
  const client = useQueryClient();
  const [first, ...more] = useOffers().data ?? [];
  const act = useMutation({
    mutationFn: (name: Act) => call(name, { offerId: first?.offerId ?? '' }),
    onSettled: () => client.invalidateQueries({ queryKey: ['assistants', 'offers'] }),
  });
  if (!first) return null;
  return (
    <Banner
      look
      icon={<IconExternalLink size={16} aria-hidden />}
      action={
        <span className={styles.lineActs}>
          <Button size="compact-sm" disabled={act.isPending} onClick={() => act.mutate('offers.open')}>
            {t('app.line.openPage')}
          </Button>
          <Button
            size="compact-sm"
            variant="quiet"
            disabled={act.isPending}
            onClick={() => act.mutate('offers.dismiss')}
          >
            {t('app.line.dismiss')}
          </Button>
        </span>
      }
    >
      <Trans
        i18nKey="app.line.offer"
        components={{
          name: <UntrustedText text={first.by} fold={60} flag={false} />,
          what: <UntrustedText text={first.what} fold={200} />,
          host: (
            <b>
              <UntrustedText text={first.host} fold={100} />
            </b>
          ),
        }}
      />{' '}
      {more.length > 0 && t('app.line.moreOffers', { count: more.length })} {act.error && sentenceOf(act.error)}
    </Banner>
  );
};

const Paused = () => {
  const { mutate, isPending } = usePause();
  return (
    <Banner
      look
      icon={<IconPlayerPause size={16} aria-hidden />}
      action={
        <Button size="compact-sm" loading={isPending} onClick={() => mutate(false)}>
          {t('app.line.resume')}
        </Button>
      }
    >
      {t('app.line.paused')}
    </Banner>
  );
};

const Repaired = ({ from }: { from: number | null }) => {
  const client = useQueryClient();
  const seen = useMutation({
    mutationFn: () => call('backups.repairSeen', {}),
    onSuccess: () => client.invalidateQueries({ queryKey: ['app'] }),
  });
  return (
    <Banner
      look
      icon={<IconAlertTriangle size={16} aria-hidden />}
      action={
        <Button size="compact-sm" loading={seen.isPending} onClick={() => seen.mutate()}>
          {t('app.line.repairSeen')}
        </Button>
      }
    >
      {from === null ? t('app.line.repairedEmpty') : t('app.line.repaired', { when: timeWords(from) })}
    </Banner>
  );
};

const Reconnect = () => {
  const [open, setOpen] = useState(false);
  return (
    <Banner
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
    </Banner>
  );
};

/** The copy that a repair took is told already, with the repair. */
const isOfRepair = ({ repaired, ledgerAlarm }: AppState): boolean =>
  repaired !== null && ledgerAlarm?.kind === 'rolledBack';

/** What the person should know on every screen, one quiet line each. */
export const Banners = ({ state }: { state: AppState }) => (
  <div className={styles.topLines}>
    {state.service.kind === 'practice' && (
      <Banner icon={<IconFlask size={16} aria-hidden />}>{t('app.line.practice')}</Banner>
    )}
    {state.connection === 'reconnect' && <Reconnect />}
    {state.offline && (
      <Banner look icon={<IconAlertTriangle size={16} aria-hidden />}>
        {t('app.line.offline')}
      </Banner>
    )}
    {state.repaired && <Repaired from={state.repaired.from} />}
    {state.ledgerAlarm && !isOfRepair(state) && <AlarmBanner alarm={state.ledgerAlarm} />}
    {state.paused && <Paused />}
    <OfferBanner />
    <ApprovalBanners />
  </div>
);
