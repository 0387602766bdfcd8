import { Button } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { call, sentenceOf } from '../../api/call.ts';
import type { AppState } from '../../api/types.ts';
import { ConfirmButton } from '../../components/ConfirmButton.tsx';
import { ProblemLine } from '../../components/ProblemLine.tsx';
import { useAskAccount } from './useAccount.ts';
import { t } from '../../i18n/t.ts';
import styles from '../settings/settings.module.css';

/** The key stops working at the service, which asks first, and goes from here with it. */
const EndKey = () => {
  const ask = useAskAccount();
  return (
    <>
      <p className={styles.soft}>{t('account.endKey')}</p>
      <Button loading={ask.isPending} onClick={() => ask.mutate({ route: 'revokeCurrentKey', input: {} })}>
        {t('account.disconnectAsk')}
      </Button>
      {ask.error && <ProblemLine>{sentenceOf(ask.error)}</ProblemLine>}
    </>
  );
};

/** The key goes from this computer only: there is nobody to tell, or nobody answers. */
const ForgetKey = ({ why }: { why: string }) => {
  const client = useQueryClient();
  const forget = useMutation({
    mutationFn: () => call('connect.forget', {}),
    onSuccess: (state) => client.setQueryData(['app'], state),
  });
  return (
    <>
      <p className={styles.soft}>{why}</p>
      <ConfirmButton sure={t('account.disconnectSure')} onSure={() => forget.mutate()} busy={forget.isPending}>
        {t('account.disconnect')}
      </ConfirmButton>
      {forget.error && <ProblemLine>{sentenceOf(forget.error)}</ProblemLine>}
    </>
  );
};

/** Ends the connection: at the service where it can be told, else only here. */
export const Disconnect = ({ state }: { state: AppState }) => {
  const practice = state.service.kind === 'practice';
  const reached = state.connection === 'connected' && state.offline === null;
  return (
    <section aria-label={t('account.disconnect')}>
      <h2>{t('account.disconnect')}</h2>
      {!practice && reached ? (
        <EndKey />
      ) : (
        <ForgetKey why={practice ? t('account.leavePractice') : t('account.forgetKey')} />
      )}
    </section>
  );
};
