import { Button } from '@mantine/core';
import { Trans } from 'react-i18next';
import { Link, useLocation } from 'wouter';
import { useAppState } from '../../api/queries.ts';
import { KeysTable } from '../../app/KeysHelp.tsx';
import { Page } from '../../components/Page.tsx';
import { useSaveSettings } from '../settings/useSaveSettings.ts';
import { Contact } from './Contact.tsx';
import { t } from '../../i18n/t.ts';
import styles from './help.module.css';

const guide = ['photos', 'review', 'yes', 'never', 'assistants', 'key'] as const;

const Guide = () => {
  const [, go] = useLocation();
  const save = useSaveSettings();
  const showTour = (): void => {
    save.mutate({ tourSeen: false });
    go('/');
  };
  return (
    <section aria-label={t('help.guide')} className={styles.section}>
      <h2>{t('help.guide')}</h2>
      {guide.map((part) => (
        <div key={part}>
          <h3>{t(`help.${part}Title`)}</h3>
          <p>{t(`help.${part}`)}</p>
        </div>
      ))}
      <Button className={styles.start} onClick={showTour}>
        {t('help.tour')}
      </Button>
    </section>
  );
};

const Trouble = () => (
  <section aria-label={t('help.trouble')} className={styles.section}>
    <h2>{t('help.trouble')}</h2>
    <dl className={styles.trouble}>
      <div>
        <dt>{t('help.offline')}</dt>
        <dd>{t('help.offlineText')}</dd>
      </div>
      <div>
        <dt>{t('help.stopped')}</dt>
        <dd>{t('help.stoppedText')}</dd>
      </div>
      <div>
        <dt>{t('help.reconnect')}</dt>
        <dd>
          <Trans i18nKey="help.reconnectText" components={{ account: <Link href="/account" /> }} />
        </dd>
      </div>
      <div>
        <dt>{t('help.diagnostics')}</dt>
        <dd>
          <Trans i18nKey="help.diagnosticsText" components={{ settings: <Link href="/settings" /> }} />
        </dd>
      </div>
    </dl>
  </section>
);

/** How it works, the keys, what to do when something does not work, and whom to write to. */
export const HelpScreen = () => {
  const state = useAppState().data;
  return (
    <Page title={t('help.title')}>
      <Guide />
      <section aria-label={t('help.keys')} className={styles.section}>
        <h2>{t('help.keys')}</h2>
        <KeysTable />
      </section>
      <Trouble />
      {state && <Contact email={state.connection === 'connected' ? (state.person?.email ?? '') : null} />}
    </Page>
  );
};
