import { read } from '../../api/call.ts';
import { t } from '../../i18n/t.ts';
import { plainly } from '../../components/text/untrustedText.ts';
import { UntrustedText } from '../../components/text/UntrustedText.tsx';
import { pageIn, type Channel, type Connection } from './answers.ts';
import { ConnectionRow } from './ConnectionRow.tsx';
import { Read, Section } from './Section.tsx';
import { SignInPage } from './SignInPage.tsx';
import { useChannels, useConnections } from './useSelling.ts';
import styles from './selling.module.css';

const capsOf = ({ photos, title }: Channel): string => {
  if (photos !== null && title !== null) return t('selling.channels.takes', { photos, title });
  if (photos !== null) return t('selling.channels.takesPhotos', { photos });
  return title === null ? '' : t('selling.channels.takesTitle', { title });
};

type Look = { looking: boolean; onLook: () => void };

const Connect = ({ channel: { channelId, name }, looking, onLook }: Look & { channel: Channel }) => (
  <SignInPage
    ask={t('selling.channels.connect', { name: plainly(name) })}
    open={t('selling.channels.open', { name: plainly(name) })}
    read={async () => pageIn(await read('connectChannel', { params: { channelId } }))}
    onLook={onLook}
    busy={looking}
  />
);

type Props = Look & { channel: Channel; connections: readonly Connection[] };

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

/** Channels that are connected and no longer in the list are channels all the same. */
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
    <Read of={connections} rows={2}>
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
    </Read>
  );
};

/** Other places to sell: what each takes, and the accounts that are connected there. */
export const Channels = () => (
  <Section id="selling-channels" title={t('selling.channels.title')} text={t('selling.channels.text')}>
    <Read of={useChannels()} rows={3}>
      {(channels) => <List channels={channels} />}
    </Read>
  </Section>
);
