import { Button, CopyButton, NativeSelect, SegmentedControl } from '@mantine/core';
import { t } from '../../i18n.ts';
import styles from './assistants.module.css';
import { useState } from 'react';
import { CopyLine } from '../../components/CopyLine.tsx';
import { ErrorLine } from '../../components/ScreenPage.tsx';
import { callCore } from '../../api/call.ts';
import { downloadFile } from '../../components/lists/DataTable.tsx';
import { useMutation } from '@tanstack/react-query';
import { useClientSnippets } from '../../api/queries.ts';
import type { CallAnswer } from '../../../../ipc/calls.ts';

type Client = CallAnswer<'clients.snippets'>[number];
type SnippetStep = NonNullable<Client['command']>[number];

const tokenPlaceholder = 'TOKEN';

const formatSnippetLocation = (place: SnippetStep['place']): string => {
  if (typeof place === 'object') return t('assistants.connect.into', { file: place.file });
  if (place === 'terminal') return t('assistants.connect.inTerminal');
  if (place === 'link') return t('assistants.connect.asLink');
  return place === 'powershell' ? t('assistants.connect.inPowershell') : t(`assistants.connect.${place}`);
};

const ClientSnippet = ({ name, step }: { name: string; step: SnippetStep }) => (
  <figure className={styles.snippet}>
    <figcaption>
      <span>{formatSnippetLocation(step.place)}</span>
      <CopyButton value={step.text}>
        {({ copied, copy }) => (
          <Button
            variant="quiet"
            size="compact-sm"
            onClick={copy}
            aria-label={`${t('parts.copy')}: ${t('assistants.connect.snippet', { name })}`}
          >
            {copied ? t('parts.copied') : t('parts.copy')}
          </Button>
        )}
      </CopyButton>
    </figcaption>
    <pre tabIndex={0} aria-label={t('assistants.connect.snippet', { name })}>
      {step.text}
    </pre>
  </figure>
);

const decodeBase64Bytes = (base64: string): Uint8Array<ArrayBuffer> =>
  Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0));

const ToolBundleDownload = () => {
  const load = useMutation({
    mutationFn: () => callCore('clients.bundle', {}),
    onSuccess: ({ name, base64 }) => downloadFile({ name, type: 'application/zip', text: decodeBase64Bytes(base64) }),
  });
  return (
    <div className={styles.snippet}>
      <p className={styles.soft}>{t('assistants.connect.bundleText')}</p>
      <div>
        <Button loading={load.isPending} onClick={() => load.mutate()}>
          {t('assistants.connect.bundle')}
        </Button>
      </div>
      <ErrorLine error={load.error} />
    </div>
  );
};

type ConnectionMethod = 'command' | 'address';

const ClientConnectionSteps = ({ client, way }: { client: Client; way: ConnectionMethod }) => (
  <>
    <p className={styles.soft}>
      {way === 'command'
        ? `${t('assistants.connect.command')} ${t('assistants.connect.identity')}`
        : client.command && t('assistants.connect.token', { place: tokenPlaceholder })}
      {client.address === null && ` ${t('assistants.connect.onlyCommand', { name: client.name })}`}
    </p>
    {(client[way] ?? []).map((step) => (
      <ClientSnippet key={step.text} name={client.name} step={step} />
    ))}
  </>
);

export const ConnectAssistantSection = ({ url }: { url: string }) => {
  const { data: clients = [], error } = useClientSnippets(url);
  const [name, setName] = useState('Claude Code');
  const [wanted, setWanted] = useState<ConnectionMethod>('command');
  const client = clients.find((one) => one.name === name);
  const ways = (['command', 'address'] as const).filter((way) => client?.[way]);
  const way = ways.includes(wanted) ? wanted : (ways[0] ?? 'command');
  return (
    <section aria-label={t('assistants.connect.title')} className={styles.connect}>
      <h2>{t('assistants.connect.title')}</h2>
      <p className={styles.soft}>{t('assistants.connect.text')}</p>
      <div>
        <CopyLine label={t('assistants.connect.address')} text={url} />
        <CopyLine label={t('assistants.connect.tryIt')} text={`curl ${url}/companion`} />
      </div>
      <div className={styles.choose}>
        <NativeSelect
          label={t('assistants.connect.client')}
          value={name}
          data={clients.map((candidate) => candidate.name)}
          onChange={(event) => setName(event.currentTarget.value)}
        />
        {ways.length > 1 && (
          <SegmentedControl
            aria-label={t('assistants.connect.way')}
            value={way}
            onChange={(value) => setWanted(value === 'address' ? 'address' : 'command')}
            data={[
              { value: 'command', label: t('assistants.connect.byCommand') },
              { value: 'address', label: t('assistants.connect.byAddress') },
            ]}
          />
        )}
      </div>
      {client && <ClientConnectionSteps client={client} way={way} />}
      <ToolBundleDownload />
      <ErrorLine error={error} />
    </section>
  );
};
