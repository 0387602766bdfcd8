import { useAppStateMutation } from '../../api/useCall.ts';
import { Button, TextInput } from '@mantine/core';
import { useState } from 'react';
import { callCore } from '../../api/call.ts';
import { useAppState } from '../../api/queries.ts';
import { CopyLine } from '../../components/CopyLine.tsx';
import { ErrorLine } from '../../components/ScreenPage.tsx';
import { t } from '../../i18n.ts';
import styles from './connect.module.css';

/** Accepts only https addresses without shell characters, because the person pastes the address into a command line. */
const parseServiceAddress = (text: string): string | null => {
  const url = URL.canParse(text.trim()) ? new URL(text.trim()) : null;
  return url?.protocol === 'https:' && /^[\w.:/~%-]+$/.test(url.href) ? url.href.replace(/\/$/, '') : null;
};

const PractiseAgainButton = ({ onConnected }: { onConnected: () => void }) => {
  const again = useAppStateMutation(() => callCore('connect.practice', {}), { onDone: onConnected });
  return (
    <>
      <Button loading={again.isPending} onClick={() => again.mutate()}>
        {t('connect.real.practise')}
      </Button>
      <ErrorLine error={again.error} />
    </>
  );
};

export const PracticeConnectHelp = ({ onConnected }: { onConnected: () => void }) => {
  const connection = useAppState().data?.connection;
  const [text, setText] = useState('');
  const address = parseServiceAddress(text);
  return (
    <div className={styles.form}>
      <p>{t('connect.real.text')}</p>
      <TextInput
        label={t('connect.real.address')}
        description={t('connect.real.addressHelp')}
        placeholder="https://"
        type="url"
        value={text}
        error={text.trim() !== '' && address === null && !'https://'.startsWith(text.trim()) && t('connect.real.wrong')}
        onChange={(event) => setText(event.currentTarget.value)}
        data-autofocus
      />
      {address !== null && <CopyLine label={t('connect.real.start')} text={`listing-companion --service ${address}`} />}
      <p className={styles.soft}>{t('connect.real.stays')}</p>
      {connection === 'reconnect' && <PractiseAgainButton onConnected={onConnected} />}
    </div>
  );
};
