import type { AppState } from '../api/types.ts';
import { t } from '../i18n/t.ts';
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
import { useState, type ReactNode } from 'react';
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

type SeenProps = { call: 'history.acknowledge' | 'backups.repairSeen'; topics: readonly string[]; children: ReactNode };

/** What happened to the data, until the person has read it. */
const SeenBanner = ({ call: name, topics, children }: SeenProps) => {
  const client = useQueryClient();
  const seen = useMutation({
    mutationFn: () => call(name, {}),
    onSuccess: () => Promise.all(topics.map((topic) => client.invalidateQueries({ queryKey: [topic] }))),
  });
  const action = { label: t('app.line.repairSeen'), act: () => seen.mutate(), loading: seen.isPending };
  return (
    <Banner look icon={IconAlertTriangle} actions={[action]}>
      {children}
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
  const disabled = act.isPending;
  return (
    <Banner
      look
      icon={IconExternalLink}
      actions={[
        { label: t('app.line.openPage'), act: () => act.mutate('offers.open'), disabled },
        { label: t('app.line.dismiss'), act: () => act.mutate('offers.dismiss'), disabled, quiet: true },
      ]}
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
  const action = { label: t('app.line.resume'), act: () => mutate(false), loading: isPending };
  return (
    <Banner look icon={IconPlayerPause} actions={[action]}>
      {t('app.line.paused')}
    </Banner>
  );
};

const Reconnect = () => {
  const [open, setOpen] = useState(false);
  const action = { label: t('app.line.connectAgain'), act: () => setOpen(true) };
  return (
    <Banner look icon={IconPlugConnectedX} actions={[action]}>
      {t('app.line.reconnect')}
      {open && <ConnectDialog onClose={() => setOpen(false)} />}
    </Banner>
  );
};

const repairText = ({ from }: NonNullable<AppState['repaired']>): string =>
  from === null ? t('app.line.repairedEmpty') : t('app.line.repaired', { when: timeWords(from) });

/** The copy that a repair took is told already, with the repair. */
const isOfRepair = ({ repaired, ledgerAlarm }: AppState): boolean =>
  repaired !== null && ledgerAlarm?.kind === 'rolledBack';

/** What the person should know on every screen, one quiet line each. */
export const Banners = ({ state }: { state: AppState }) => (
  <div className={styles.topLines}>
    {state.service.kind === 'practice' && <Banner icon={IconFlask}>{t('app.line.practice')}</Banner>}
    {state.connection === 'reconnect' && <Reconnect />}
    {state.offline && (
      <Banner look icon={IconAlertTriangle}>
        {t('app.line.offline')}
      </Banner>
    )}
    {state.repaired && (
      <SeenBanner call="backups.repairSeen" topics={['app']}>
        {repairText(state.repaired)}
      </SeenBanner>
    )}
    {state.ledgerAlarm && !isOfRepair(state) && (
      <SeenBanner call="history.acknowledge" topics={['app', 'approvals']}>
        {alarmWords(state.ledgerAlarm)}
      </SeenBanner>
    )}
    {state.paused && <Paused />}
    <OfferBanner />
    <ApprovalBanners />
  </div>
);
