import { Button } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { Trans } from 'react-i18next';
import type { CallAnswer } from '../../../../ipc/calls.ts';
import { callCore } from '../../api/call.ts';
import { clientsKey, useInstalledClients } from '../../api/queries.ts';
import { ConfirmButton } from '../../components/ConfirmButton.tsx';
import { ErrorLine } from '../../components/ScreenPage.tsx';
import { RelativeTime } from '../../components/text/RelativeTime.tsx';
import { UntrustedText } from '../../components/text/UntrustedText.tsx';
import { t, translateMessage } from '../../i18n.ts';
import styles from './clients.module.css';

type Client = CallAnswer<'clients.list'>[number];
type Plan = CallAnswer<'clients.plan'>;

const ClientStateText = ({ client }: { client: Client }) => {
  if (client.state === 'blocked') return translateMessage(client.problem.says, client.problem.sentence);
  if (client.state !== 'paired') return t(`assistants.clients.${client.state}`);
  if (client.lastUsedAt === null) return t('assistants.clients.unheard');
  return <Trans i18nKey="assistants.clients.heard" components={{ when: <RelativeTime at={client.lastUsedAt} /> }} />;
};

const diffSigns = { same: ' ', added: '+', removed: '−' } as const;

/**
 * Added and removed lines are marked with + and − as well as with colours, because not everyone can distinguish the
 * colours.
 */
const SettingsDiff = ({ plan: { name, lines } }: { plan: Plan }) => (
  <pre className={styles.diff} tabIndex={0} aria-label={t('assistants.clients.diff', { name })}>
    {lines.map(({ kind, text }, at) => (
      <span key={`${at} ${text}`} data-kind={kind}>
        {`${diffSigns[kind]} `}
        <UntrustedText text={text} flag={false} />
      </span>
    ))}
  </pre>
);

type PlanProps = { plan: Plan; busy: boolean; onYes: () => void; onNo: () => void };

const ClientPlanView = ({ plan, busy, onYes, onNo }: PlanProps) => (
  <div className={styles.plan}>
    <p>{t(plan.isNew ? 'assistants.clients.makes' : 'assistants.clients.changes', { file: plan.file })}</p>
    <SettingsDiff plan={plan} />
    <div className={styles.buttons}>
      <Button autoFocus onClick={onNo}>
        {t('assistants.clients.notNow')}
      </Button>
      <Button variant="filled" color="green" loading={busy} onClick={onYes}>
        {t('assistants.clients.write')}
      </Button>
    </div>
  </div>
);

const useClientConnection = (clientId: Client['id']) => {
  const cache = useQueryClient();
  const [plan, setPlan] = useState<Plan | null>(null);
  const onSuccess = (clients: Client[]): void => void cache.setQueryData(clientsKey, clients);
  const planChange = useMutation({ mutationFn: () => callCore('clients.plan', { clientId }), onSuccess: setPlan });
  const connect = useMutation({
    mutationFn: (planId: string) => callCore('clients.connect', { clientId, planId }),
    onSuccess,
    onSettled: () => setPlan(null),
  });
  const disconnect = useMutation({ mutationFn: () => callCore('clients.disconnect', { clientId }), onSuccess });
  return { plan, setPlan, planChange, connect, disconnect };
};

const statesToReconnect = new Set<Client['state']>(['ended', 'moved']);
const isClientSetUp = ({ state }: Client): boolean => state !== 'none' && state !== 'blocked';

const InstalledClientRow = ({ client }: { client: Client }) => {
  const { plan, setPlan, planChange, connect, disconnect } = useClientConnection(client.id);
  const error = planChange.error ?? connect.error ?? disconnect.error;
  const planClientChange = (): void => {
    connect.reset();
    planChange.mutate();
  };
  return (
    <li className={styles.client} data-state={client.state}>
      <div>
        <b>{client.name}</b>
        <p className={styles.soft}>
          <ClientStateText client={client} />
        </p>
      </div>
      {plan === null && (
        <div className={styles.buttons}>
          {(client.state === 'none' || statesToReconnect.has(client.state)) && (
            <Button
              loading={planChange.isPending}
              onClick={planClientChange}
              aria-label={`${t(isClientSetUp(client) ? 'assistants.clients.connectAgain' : 'assistants.clients.connect')}: ${client.name}`}
            >
              {t(isClientSetUp(client) ? 'assistants.clients.connectAgain' : 'assistants.clients.connect')}
            </Button>
          )}
          {isClientSetUp(client) && (
            <ConfirmButton
              variant="quiet"
              sure={t('assistants.clients.disconnectSure')}
              onSure={() => disconnect.mutate()}
              busy={disconnect.isPending}
            >
              {t('assistants.clients.disconnect')}
            </ConfirmButton>
          )}
        </div>
      )}
      {plan !== null && (
        <ClientPlanView
          plan={plan}
          busy={connect.isPending}
          onYes={() => connect.mutate(plan.planId)}
          onNo={() => setPlan(null)}
        />
      )}
      <ErrorLine error={error} />
    </li>
  );
};

export const InstalledClientList = () => {
  const { data: clients = [], error } = useInstalledClients();
  if (error) return <ErrorLine error={error} />;
  if (clients.length === 0) return null;
  return (
    <section aria-label={t('assistants.clients.title')} className={styles.clients}>
      <h2>{t('assistants.clients.title')}</h2>
      <p className={styles.soft}>{t('assistants.clients.text')}</p>
      <ul className={styles.list}>
        {clients.map((client) => (
          <InstalledClientRow key={client.id} client={client} />
        ))}
      </ul>
    </section>
  );
};
