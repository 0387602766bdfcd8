import { Button } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { Trans } from 'react-i18next';
import { readServiceAnswer } from '../../api/call.ts';
import { t } from '../../i18n.ts';
import { RelativeTime } from '../../components/text/RelativeTime.tsx';
import { findTextField } from '../../api/unknownRecord.ts';
import { ErrorLine } from '../../components/ScreenPage.tsx';
import { escapeHiddenText, UntrustedText } from '../../components/text/UntrustedText.tsx';
import { parsePublishOptions, type ChannelConnection, parsePageUrl, type SellingChannel } from './answers.ts';
import { ForeignFactList, QueryResultView, SellingSection } from './Section.tsx';
import { useSetupChangeRequest, useSellingChannels, useChannelConnections } from './useSelling.ts';
import styles from './selling.module.css';
import { SignInPageSection } from './SignInPage.tsx';

const ConnectionOptions = ({ connection: { id, channelId } }: { connection: ChannelConnection }) => {
  const options = useMutation({
    mutationFn: async () =>
      parsePublishOptions(
        await readServiceAnswer('readConnectionOptions', { params: { channelId, connectionId: id } }),
      ),
  });
  return (
    <>
      <Button loading={options.isPending} onClick={() => options.mutate()}>
        {t('selling.channels.options')}
      </Button>
      <ErrorLine error={options.error} />
      {options.data && options.data.length === 0 && <p>{t('selling.channels.noOptions')}</p>}
      {options.data && (
        <ForeignFactList
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

const ChannelConnectionRow = ({ connection }: { connection: ChannelConnection }) => {
  const { id, channelId, name, more } = connection;
  const since = Date.parse(findTextField(more, 'connectedAt', 'createdAt') ?? '');
  const ask = useSetupChangeRequest();
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
          aria-label={t('selling.channels.disconnectName', { name: escapeHiddenText(name) })}
          loading={ask.isPending}
          onClick={() => ask.mutate({ route: 'deleteConnection', input: { params: { channelId, connectionId: id } } })}
        >
          {t('selling.channels.disconnect')}
        </Button>
      </div>
      <ErrorLine error={ask.error} />
      <ConnectionOptions connection={connection} />
    </div>
  );
};

const formatChannelLimits = ({ photos, title }: SellingChannel): string => {
  if (photos !== null && title !== null) return t('selling.channels.takes', { photos, title });
  if (photos !== null) return t('selling.channels.takesPhotos', { photos });
  return title === null ? '' : t('selling.channels.takesTitle', { title });
};

type ConnectionCheckProps = { looking: boolean; onLook: () => void };

const ConnectChannelPage = ({
  channel: { channelId, name },
  looking,
  onLook,
}: ConnectionCheckProps & { channel: SellingChannel }) => (
  <SignInPageSection
    ask={t('selling.channels.connect', { name: escapeHiddenText(name) })}
    open={t('selling.channels.open', { name: escapeHiddenText(name) })}
    read={async () => parsePageUrl(await readServiceAnswer('connectChannel', { params: { channelId } }))}
    onLook={onLook}
    busy={looking}
  />
);

type ChannelRowProps = ConnectionCheckProps & { channel: SellingChannel; connections: readonly ChannelConnection[] };

const SellingChannelRow = ({ channel, connections, ...look }: ChannelRowProps) => (
  <li>
    <b>
      <UntrustedText text={channel.name} fold={120} />
    </b>
    <p className={styles.soft}>
      {formatChannelLimits(channel)}
      {!channel.own && connections.length === 0 && ` · ${t('selling.channels.notConnected')}`}
    </p>
    {connections.map((connection) => (
      <ChannelConnectionRow key={connection.id} connection={connection} />
    ))}
    {!channel.own && connections.length === 0 && <ConnectChannelPage channel={channel} {...look} />}
  </li>
);

/** The list of channels can lack a channel that is still connected. */
const addConnectedChannels = (
  channels: readonly SellingChannel[],
  connections: readonly ChannelConnection[],
): SellingChannel[] => {
  const known = new Set(channels.map(({ channelId }) => channelId));
  const more = [...new Set(connections.map(({ channelId }) => channelId))].filter((id) => !known.has(id));
  return [
    ...channels,
    ...more.map((channelId) => ({ channelId, name: channelId, photos: null, title: null, own: false })),
  ];
};

const SellingChannelList = ({ channels }: { channels: readonly SellingChannel[] }) => {
  const connections = useChannelConnections();
  const all = addConnectedChannels(channels, connections.data ?? []);
  return (
    <QueryResultView of={connections} rows={2}>
      {(found) => (
        <>
          {all.every(({ own }) => own) && <p>{t('selling.channels.none')}</p>}
          <ul className={styles.list}>
            {all.map((channel) => (
              <SellingChannelRow
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
    </QueryResultView>
  );
};

export const SellingChannelsSection = () => (
  <SellingSection id="selling-channels" title={t('selling.channels.title')} text={t('selling.channels.text')}>
    <QueryResultView of={useSellingChannels()} rows={3}>
      {(channels) => <SellingChannelList channels={channels} />}
    </QueryResultView>
  </SellingSection>
);
