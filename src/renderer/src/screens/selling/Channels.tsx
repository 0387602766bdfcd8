import { Button } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { Trans } from 'react-i18next';
import { sentenceOf, read } from '../../api/call.ts';
import { t } from '../../i18n.ts';
import { RelativeTime } from '../../components/text/RelativeTime.tsx';
import { textOf } from '../../api/unknownRecord.ts';
import { ProblemLine } from '../../components/Page.tsx';
import { escapedText, UntrustedText } from '../../components/text/UntrustedText.tsx';
import { optionsIn, type Connection, pageIn, type Channel } from './answers.ts';
import { FactList, QueryResult, Section } from './Section.tsx';
import { useAskSetup, useChannels, useConnections } from './useSelling.ts';
import styles from './selling.module.css';
import { SignInPage } from './SignInPage.tsx';

const Options = ({ connection: { id, channelId } }: { connection: Connection }) => {
  const options = useMutation({
    mutationFn: async () => optionsIn(await read('readConnectionOptions', { params: { channelId, connectionId: id } })),
  });
  return (
    <>
      <Button loading={options.isPending} onClick={() => options.mutate()}>
        {t('selling.channels.options')}
      </Button>
      {options.error && <ProblemLine>{sentenceOf(options.error)}</ProblemLine>}
      {options.data && options.data.length === 0 && <p>{t('selling.channels.noOptions')}</p>}
      {options.data && (
        <FactList
          facts={options.data.map(({ name, values, usual }) => [
            name,
            values
              .map(({ value, label }) => (value === usual ? t('selling.channels.usual', { value: label }) : label))
              .join(', '),
          ])}
        />
      )}
    </>
  );
};

const ConnectionRow = ({ connection }: { connection: Connection }) => {
  const { id, channelId, name, more } = connection;
  const since = Date.parse(textOf(more, 'connectedAt', 'createdAt') ?? '');
  const ask = useAskSetup();
  return (
    <div className={styles.connection}>
      <div className={styles.row}>
        <div>
          <UntrustedText text={name} fold={120} />
          {!Number.isNaN(since) && (
            <p className={styles.soft}>
              <Trans i18nKey="selling.channels.connectedSince" components={{ when: <RelativeTime at={since} /> }} />
            </p>
          )}
        </div>
        <Button
          variant="quiet"
          aria-label={t('selling.channels.disconnectName', { name: escapedText(name) })}
          loading={ask.isPending}
          onClick={() => ask.mutate({ route: 'deleteConnection', input: { params: { channelId, connectionId: id } } })}
        >
          {t('selling.channels.disconnect')}
        </Button>
      </div>
      {ask.error && <ProblemLine>{sentenceOf(ask.error)}</ProblemLine>}
      <Options connection={connection} />
    </div>
  );
};

const capsOf = ({ photos, title }: Channel): string => {
  if (photos !== null && title !== null) return t('selling.channels.takes', { photos, title });
  if (photos !== null) return t('selling.channels.takesPhotos', { photos });
  return title === null ? '' : t('selling.channels.takesTitle', { title });
};

type LookProps = { looking: boolean; onLook: () => void };

const Connect = ({ channel: { channelId, name }, looking, onLook }: LookProps & { channel: Channel }) => (
  <SignInPage
    ask={t('selling.channels.connect', { name: escapedText(name) })}
    open={t('selling.channels.open', { name: escapedText(name) })}
    read={async () => pageIn(await read('connectChannel', { params: { channelId } }))}
    onLook={onLook}
    busy={looking}
  />
);

type Props = LookProps & { channel: Channel; connections: readonly Connection[] };

const Row = ({ channel, connections, ...look }: Props) => (
  <li>
    <b>
      <UntrustedText text={channel.name} fold={120} />
    </b>
    <p className={styles.soft}>
      {capsOf(channel)}
      {!channel.own && connections.length === 0 && ` · ${t('selling.channels.notConnected')}`}
    </p>
    {connections.map((connection) => (
      <ConnectionRow key={connection.id} connection={connection} />
    ))}
    {!channel.own && connections.length === 0 && <Connect channel={channel} {...look} />}
  </li>
);

/** Adds connected channels that the list of channels no longer contains. */
const withConnected = (channels: readonly Channel[], connections: readonly Connection[]): Channel[] => {
  const known = new Set(channels.map(({ channelId }) => channelId));
  const more = [...new Set(connections.map(({ channelId }) => channelId))].filter((id) => !known.has(id));
  return [
    ...channels,
    ...more.map((channelId) => ({ channelId, name: channelId, photos: null, title: null, own: false })),
  ];
};

const List = ({ channels }: { channels: readonly Channel[] }) => {
  const connections = useConnections();
  const all = withConnected(channels, connections.data ?? []);
  return (
    <QueryResult of={connections} rows={2}>
      {(found) => (
        <>
          {all.every(({ own }) => own) && <p>{t('selling.channels.none')}</p>}
          <ul className={styles.list}>
            {all.map((channel) => (
              <Row
                key={channel.channelId}
                channel={channel}
                connections={found.filter(({ channelId }) => channelId === channel.channelId)}
                looking={connections.isFetching}
                onLook={() => void connections.refetch()}
              />
            ))}
          </ul>
        </>
      )}
    </QueryResult>
  );
};

export const Channels = () => (
  <Section id="selling-channels" title={t('selling.channels.title')} text={t('selling.channels.text')}>
    <QueryResult of={useChannels()} rows={3}>
      {(channels) => <List channels={channels} />}
    </QueryResult>
  </Section>
);
