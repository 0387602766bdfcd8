import { useAppStateMutation } from '../../api/useCall.ts';
import { Button, TextInput } from '@mantine/core';
import { useRef } from 'react';
import { callCore, getCompanionWindow } from '../../api/call.ts';
import { ErrorLine } from '../../components/ScreenPage.tsx';
import { t } from '../../i18n.ts';
import styles from './connect.module.css';

/**
 * In the desktop app, the main process reads the key from the clipboard, so that no window contains the key. In a
 * browser, the field is emptied when it is read, and no state or cache keeps the key.
 */
export const KeyConnectForm = ({ onConnected }: { onConnected: () => void }) => {
  const field = useRef<HTMLInputElement>(null);
  const isDesktop = getCompanionWindow().host === 'electron';
  const readAndClearKey = (): string => {
    const { current } = field;
    const key = current?.value ?? '';
    if (current) current.value = '';
    return key;
  };
  // A mutation keeps its variables, so the key is not passed as a variable.
  const use = useAppStateMutation(
    () => (isDesktop ? callCore('connect.clipboard', {}) : callCore('connect.key', { key: readAndClearKey() })),
    { onDone: onConnected, onError: () => field.current?.focus() },
  );
  return (
    <form
      className={styles.key}
      aria-label={t('connect.key')}
      onSubmit={(event) => {
        event.preventDefault();
        if (!use.isPending) use.mutate();
      }}
    >
      <p className={styles.soft}>{t('connect.keyText')}</p>
      {isDesktop ? (
        <p className={styles.soft}>{t('connect.keyClipboardHelp')}</p>
      ) : (
        <TextInput
          ref={field}
          type="password"
          label={t('connect.key')}
          description={t('connect.keyHelp')}
          autoComplete="off"
          spellCheck={false}
          maxLength={2_000}
          aria-invalid={use.isError || undefined}
        />
      )}
      <ErrorLine error={use.error} />
      <Button type="submit" loading={use.isPending}>
        {t(isDesktop ? 'connect.keyClipboard' : 'connect.keyUse')}
      </Button>
    </form>
  );
};
