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

/** A channel that a request names, as a yes is bound to it: its name, how the listing stands there, and all that is there. */
type BoundChannel = {
  channelId: string;
  name: string;
  status: string | null;
  before: Record<string, unknown>;
  /** The service does not show how the listing stands there. */
  isUnread?: true;
};

type Wanted = 'live' | 'notLive' | 'there';

const refusals = { live: 'notOnChannel', notLive: 'onChannel', there: 'notOnChannel' } as const;

type Gathering = {
  listingId: string;
  body: Record<string, unknown>;
  wanted: Wanted;
  /** A request that names no channel is for all where the listing is live; without this, for the marketplace. */
  silentMeansAll?: true;
};

const isRepeating = ({ channels }: Record<string, unknown>): boolean =>
  Array.isArray(channels) && new Set(channels).size < channels.length;

/** The channels that a request is for; null where they must be read. Refuses what could be shown as something else. */
const channelsOf = ({ body, wanted, silentMeansAll }: Gathering): string[] | null => {
  // Nothing is removed from the marketplace, so silence cannot mean it.
  if (body['channels'] === undefined && wanted !== 'there') return silentMeansAll ? null : [];
  const named = channelsNamed(body);
  if (named === null || isRepeating(body)) throw problem('INVALID_REQUEST.channels', { field: 'channels' });
  if (wanted === 'there' && named.includes(marketChannel))
    throw problem('INVALID_REQUEST.marketKeeps', { field: 'channels' });
  return named;
};

/** Refuses channels that are named in a way which could be shown as something else. */
export const refuseMisnamed = (gathering: Gathering): void => void channelsOf(gathering);

const onlyMarket = (channelIds: readonly string[]): boolean => channelIds.every((one) => one === marketChannel);

/** Refuses channels that there are not, as far as the service's list of them is understood. */
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

/** How the listing stands on a channel. Refuses one where it does not stand as `wanted`; what is not shown is no reason. */
const boundChannel = (
  { wanted }: Gathering,
  { channelId, name }: { channelId: string; name: string },
  { states, isWhole }: { states: readonly ChannelState[]; isWhole: boolean },
): BoundChannel => {
  const entries = states.filter((one) => one.channelId === channelId);
  const state = entries.find(({ isOff }) => !isOff) ?? entries[0];
  if (state === undefined && !isWhole) return { channelId, name, status: null, before: {}, isUnread: true };
  const isThere = state !== undefined && !state.isGone;
  // A word that is not known is no reason to refuse either.
  const fits = { live: state?.isOff === false, notLive: state?.isLive !== true, there: isThere }[wanted];
  // The listing's own status tells of the marketplace.
  if (!fits && channelId !== marketChannel)
    throw problem(`WRONG_STATE.${refusals[wanted]}`, { field: 'channels', values: { channel: plainChannel(name) } });
  // What the marketplace shows is the listing itself.
  const before = channelId === marketChannel ? {} : (state?.fields ?? {});
  return { channelId, name, status: state?.status ?? null, before };
};

type ChannelContext = { channels?: BoundChannel[]; areMoreUnread?: true };

/**
 * Reads the channels that a request is for; none where it is for the marketplace alone. Refuses what the service would
 * refuse: a channel that there is not, one without an account to publish with, and a listing that does not stand there as
 * `wanted`.
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
  // What goes to all channels may go to some that are not shown.
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

/** The channels of a subject besides the marketplace. */
export const othersIn = (context: Record<string, unknown>): BoundChannel[] => {
  const { channels } = context;
  return Array.isArray(channels) ? channels.filter(isBound).filter(({ channelId }) => channelId !== marketChannel) : [];
};

const longestName = 80;
/** The name of a channel as a part of a sentence of ours, in marks. */
export const plainChannel = (name: string): string => plainQuote(name.slice(0, longestName));
/** The name of a channel as it stands among words of ours. */
export const quotedChannel = (name: string): Message => message('notices.quoted', { text: plainChannel(name) });

/** A channel by its name; one without a name in the service's list has its id for one, and is said to be unknown. */
export const channelSays = ({ channelId, name }: Pick<BoundChannel, 'channelId' | 'name'>): Message =>
  name === channelId ? message('values.unknownId', { id: channelId }) : quotedChannel(name);

/** What is shown in the place of a title, a price and so on, and what the service says besides. */
const shownThere = new Set(['title', 'price', 'quantity', 'sku']);
/** What a fact of its own tells, or the prompt by the name of the channel. */
const shownElsewhere = new Set(['channelId', 'channel', 'id', 'externalId', 'name']);

/** The name of a field at a channel. */
export const labelOn = ({ labelSays: field }: FieldLabel, name: string): FieldLabel =>
  labelOf(message('values.fieldOn', { field, channel: quotedChannel(name) }));

/** What the service does not show of the channels that a request is for. */
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

/** What buyers read on the channels of a subject besides the marketplace: a yes is bound to it as to the listing. */
export const channelFacts = (context: Record<string, unknown>, currency: string | null): Fact[] => [
  ...unreadFacts(context),
  ...shownFacts(context, currency),
];

/** The name of what a channel answers of a listing: a field, or a publishing option. */
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

/** The names of the channels of a subject besides the marketplace; null where there are none. */
export const otherChannels = (context: Record<string, unknown>): Message | null => {
  const [first, ...more] = othersIn(context).map(channelSays);
  if (first === undefined) return null;
  return more.reduce((before, next) => message('values.and', { before, next }), first);
};
