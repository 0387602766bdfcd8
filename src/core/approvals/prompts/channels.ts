import {
  channelIdsIn,
  channelListIn,
  channelNameIn,
  channelsNamed,
  type ChannelState,
  connectedChannelsIn,
  marketChannel,
} from '../../../contract/index.ts';
import { message, type Message } from '../../../i18n/message.ts';
import { problem } from '../../base/problem.ts';
import { isRecord } from '../../base/json.ts';
import { formatEnglish } from '../../../i18n/english.ts';
import type { Fact } from '../../storage/tables/approvalRecord.ts';
import { leavesOf, pathKey } from '../subject.ts';
import { isSet } from './listingFacts.ts';
import type { Reads } from './prompt.ts';
import { plainQuote, quotedWhole } from './quotes.ts';
import { fieldLabel, labelOf, valueText, type FieldLabel } from './values.ts';

/** A named channel as an approval is bound to it: its name, the listing's status there, and its fields there. */
type BoundChannel = {
  channelId: string;
  name: string;
  status: string | null;
  before: Record<string, unknown>;
  /** The service does not return the listing's status on this channel. */
  isUnread?: true;
};

type Wanted = 'live' | 'notLive' | 'there';

const refusals = { live: 'notOnChannel', notLive: 'onChannel', there: 'notOnChannel' } as const;

type Gathering = {
  listingId: string;
  body: Record<string, unknown>;
  wanted: Wanted;
  /** If set, a request without channels applies to all channels where the listing is live; otherwise to the marketplace. */
  silentMeansAll?: true;
};

const isRepeating = ({ channels }: Record<string, unknown>): boolean =>
  Array.isArray(channels) && new Set(channels).size < channels.length;

/** Returns the channels of a request; null if they must be read. Refuses channel values that could be misread in a prompt. */
const channelsOf = ({ body, wanted, silentMeansAll }: Gathering): string[] | null => {
  // Listings cannot be removed from the marketplace, so a missing list cannot mean the marketplace.
  if (body['channels'] === undefined && wanted !== 'there') return silentMeansAll ? null : [];
  const named = channelsNamed(body);
  if (named === null || isRepeating(body)) throw problem('INVALID_REQUEST.channels', { field: 'channels' });
  if (wanted === 'there' && named.includes(marketChannel))
    throw problem('INVALID_REQUEST.marketKeeps', { field: 'channels' });
  return named;
};

/** Refuses channel values that could be misread in a prompt. */
export const refuseMisnamed = (gathering: Gathering): void => void channelsOf(gathering);

const onlyMarket = (channelIds: readonly string[]): boolean => channelIds.every((one) => one === marketChannel);

/** Refuses unknown channels, if the service's list of channels can be parsed. */
export const refuseUnknown = (channelIds: readonly string[], list: unknown): void => {
  const known = channelIdsIn(list);
  const unknown = channelIds.find((channelId) => channelId !== marketChannel && known?.includes(channelId) === false);
  if (unknown !== undefined)
    throw problem('INVALID_REQUEST.unknownChannel', { field: 'channels', values: { channel: plainChannel(unknown) } });
};

/** Refuses a publish on channels where the person has no account. */
export const refuseUnconnected = (channelIds: readonly string[], list: unknown, connections: unknown): void => {
  const connected = connectedChannelsIn(connections);
  const missing = channelIds.find(
    (channelId) => channelId !== marketChannel && connected?.includes(channelId) === false,
  );
  if (missing === undefined) return;
  const channel = plainChannel(channelNameIn(list, missing));
  throw problem('INVALID_REQUEST.notConnected', { field: 'channels', values: { channel } });
};

/** Returns the listing's state on a channel. Refuses a state that does not match `wanted`, but not an unknown state. */
const boundChannel = (
  { wanted }: Gathering,
  { channelId, name }: { channelId: string; name: string },
  { states, isWhole }: { states: readonly ChannelState[]; isWhole: boolean },
): BoundChannel => {
  const entries = states.filter((one) => one.channelId === channelId);
  const state = entries.find(({ isOff }) => !isOff) ?? entries[0];
  if (state === undefined && !isWhole) return { channelId, name, status: null, before: {}, isUnread: true };
  const isThere = state !== undefined && !state.isGone;
  // An unknown status word is not refused either.
  const fits = { live: state?.isOff === false, notLive: state?.isLive !== true, there: isThere }[wanted];
  // For the marketplace, the listing's own status decides.
  if (!fits && channelId !== marketChannel)
    throw problem(`WRONG_STATE.${refusals[wanted]}`, { field: 'channels', values: { channel: plainChannel(name) } });
  // The fields on the marketplace are those of the listing itself.
  const before = channelId === marketChannel ? {} : (state?.fields ?? {});
  return { channelId, name, status: state?.status ?? null, before };
};

type ChannelContext = { channels?: BoundChannel[]; areMoreUnread?: true };

/**
 * Reads the channels of a request; empty if it applies to the marketplace only. Refuses what the service would refuse:
 * an unknown channel, a channel without an account to publish with, and a state that does not match `wanted`.
 */
export const gatherChannels = async (gathering: Gathering, reads: Reads): Promise<ChannelContext> => {
  const asked = channelsOf(gathering);
  if (asked !== null && onlyMarket(asked)) return {};
  const list = await reads.plain('listChannels');
  if (asked !== null) refuseUnknown(asked, list);
  const [answer, connections] = await Promise.all([
    reads.channels(gathering.listingId),
    gathering.wanted === 'notLive' ? reads.plain('listConnections') : null,
  ]);
  const read = channelListIn(answer);
  const named = asked ?? [...new Set(read.states.filter(({ isOff }) => !isOff).map(({ channelId }) => channelId))];
  // A request for all channels may also reach channels that the answer does not show.
  const more = asked === null && !read.isWhole ? ({ areMoreUnread: true } as const) : {};
  if (onlyMarket(named)) return more;
  const channels = named.map((channelId) =>
    boundChannel(gathering, { channelId, name: channelNameIn(list, channelId) }, read),
  );
  if (connections !== null) refuseUnconnected(named, list, connections);
  return { channels, ...more };
};

const isBound = (value: unknown): value is BoundChannel =>
  isRecord(value) && 'channelId' in value && 'name' in value && typeof value.name === 'string';

/** Returns the channels of a subject other than the marketplace. */
export const othersIn = (context: Record<string, unknown>): BoundChannel[] => {
  const { channels } = context;
  return Array.isArray(channels) ? channels.filter(isBound).filter(({ channelId }) => channelId !== marketChannel) : [];
};

const longestName = 80;
/** Returns the name of a channel for use inside quotation marks of a text. */
export const plainChannel = (name: string): string => plainQuote(name.slice(0, longestName));
export const quotedChannel = (name: string): Message => message('notices.quoted', { text: plainChannel(name) });

/** Returns the name of a channel. A channel without a name is shown as unknown, with its id. */
export const channelSays = ({ channelId, name }: Pick<BoundChannel, 'channelId' | 'name'>): Message =>
  name === channelId ? message('values.unknownId', { id: channelId }) : quotedChannel(name);

/** Fields of a channel that correspond to fields of the listing. */
const shownThere = new Set(['title', 'price', 'quantity', 'sku']);
/** Fields that another fact or the channel's name already shows. */
const shownElsewhere = new Set(['channelId', 'channel', 'id', 'externalId', 'name']);

export const labelOn = ({ labelSays: field }: FieldLabel, name: string): FieldLabel =>
  labelOf(message('values.fieldOn', { field, channel: quotedChannel(name) }));

/** Returns facts for what the service does not return about the channels of a request. */
const unreadFacts = (context: Record<string, unknown>): Fact[] => {
  const says = message('values.unknown');
  const unread = (key: string, label: Pick<Fact, 'label' | 'labelSays'>): Fact => ({
    ...{ namespace: 'record', key, ...label, value: formatEnglish(says), says },
  });
  return [
    ...othersIn(context)
      .filter(({ isUnread }) => isUnread)
      .map(({ channelId, name }) => unread(`on ${channelId} unread`, labelOn(fieldLabel(['status']), name))),
    ...(context['areMoreUnread'] === true ? [unread('channels unread', fieldLabel(['channels']))] : []),
  ];
};

/** Returns what buyers see on the channels other than the marketplace. The approval is bound to it as to the listing. */
export const channelFacts = (context: Record<string, unknown>, currency: string | null): Fact[] => [
  ...unreadFacts(context),
  ...shownFacts(context, currency),
];

/** Returns the label of a channel's field or publishing option. */
const labelAt = (path: readonly string[], name: string): FieldLabel => {
  const [group, option = '', ...deeper] = path;
  return group === 'options' && option !== '' && deeper.length === 0
    ? labelOf(message('values.optionOn', { option: quotedWhole(option), channel: quotedChannel(name) }))
    : labelOn(fieldLabel(path), name);
};

const shownFacts = (context: Record<string, unknown>, currency: string | null): Fact[] =>
  othersIn(context).flatMap(({ channelId, name, before }) =>
    leavesOf(before)
      .filter(({ path: [field = ''], value }) => isSet(value) && !shownElsewhere.has(field))
      .map(({ path, value }): Fact => {
        const { text, says } = valueText(path.join('.'), value, currency);
        return {
          namespace: shownThere.has(path.join('.')) ? 'listing' : 'record',
          key: `on ${channelId} ${pathKey(path)}`,
          ...labelAt(path, name),
          value: text,
          ...(says ? { says } : {}),
        };
      }),
  );

/** Returns the names of the channels other than the marketplace; null if there are none. */
export const otherChannels = (context: Record<string, unknown>): Message | null => {
  const [first, ...more] = othersIn(context).map(channelSays);
  if (first === undefined) return null;
  return more.reduce((before, next) => message('values.and', { before, next }), first);
};
