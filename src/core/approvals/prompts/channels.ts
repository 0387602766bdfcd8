import {
  parseChannelIds,
  parseChannelList,
  getChannelName,
  parseNamedChannels,
  type ChannelState,
  parseConnectedChannels,
  marketChannel,
} from '../../../contract/index.ts';
import { createMessage, type Message } from '../../../i18n/message.ts';
import { createProblem } from '../../base/problem.ts';
import { isRecord } from '../../base/json.ts';
import { formatEnglishMessage } from '../../../i18n/english.ts';
import type { PromptFact } from '../../storage/tables/approvalRecord.ts';
import { listJsonLeaves, createPathKey } from '../subject.ts';
import { isValueSet } from './listingFacts.ts';
import type { Reads } from './promptDefinition.ts';
import { cleanForeignText, quoteForeignText } from '../../base/messages.ts';
import { createFieldLabel, toFieldLabel, formatFieldValue, type FieldLabel, type ListingTerms } from './values.ts';

/** `before` contains the listing's fields on the channel. */
type BoundChannel = {
  channelId: string;
  name: string;
  status: string | null;
  before: Record<string, unknown>;
  /** Set if the service does not return the status of the listing on this channel. */
  isUnread?: true;
};

type ExpectedState = 'live' | 'notLive' | 'there';

const refusalsByState = { live: 'notOnChannel', notLive: 'onChannel', there: 'notOnChannel' } as const;

type ChannelsRequest = {
  listingId: string;
  body: Record<string, unknown>;
  expected: ExpectedState;
  /** If set, a request without channels applies to all channels where the listing is live. */
  isMissingAll?: true;
};

const hasRepeatedChannels = ({ channels }: Record<string, unknown>): boolean =>
  Array.isArray(channels) && new Set(channels).size < channels.length;

/** Returns null if the request applies to all channels. */
const parseRequestedChannels = ({ body, expected, isMissingAll }: ChannelsRequest): string[] | null => {
  // A removal must name its channels: the default is the marketplace, from which no listing can be removed.
  if (body['channels'] === undefined && expected !== 'there') return isMissingAll ? null : [];
  const named = parseNamedChannels(body);
  if (named === null || hasRepeatedChannels(body))
    throw createProblem('INVALID_REQUEST.channels', { field: 'channels' });
  if (expected === 'there' && named.includes(marketChannel))
    throw createProblem('INVALID_REQUEST.marketKeeps', { field: 'channels' });
  return named;
};

/** Throws INVALID_REQUEST if the channels of the request could be misread in a prompt. */
export const refuseAmbiguousChannels = (gathering: ChannelsRequest): void => void parseRequestedChannels(gathering);

const isMarketplaceOnly = (channelIds: readonly string[]): boolean =>
  channelIds.every((channelId) => channelId === marketChannel);

/** Throws INVALID_REQUEST if a channel is unknown. Accepts every channel if the service's list cannot be parsed. */
export const refuseUnknownChannels = (channelIds: readonly string[], list: unknown): void => {
  const known = parseChannelIds(list);
  const unknown = channelIds.find((channelId) => channelId !== marketChannel && known?.includes(channelId) === false);
  if (unknown !== undefined)
    throw createProblem('INVALID_REQUEST.unknownChannel', {
      field: 'channels',
      values: { channel: cleanChannelName(unknown) },
    });
};

/** Throws INVALID_REQUEST if the person has no account on one of the channels. */
export const refuseUnconnectedChannels = (channelIds: readonly string[], list: unknown, connections: unknown): void => {
  const connected = parseConnectedChannels(connections);
  const missing = channelIds.find(
    (channelId) => channelId !== marketChannel && connected?.includes(channelId) === false,
  );
  if (missing === undefined) return;
  const channel = cleanChannelName(getChannelName(list, missing));
  throw createProblem('INVALID_REQUEST.notConnected', { field: 'channels', values: { channel } });
};

/** Throws if the listing's state on the channel does not match `expected`. An unknown state is accepted. */
const createBoundChannel = (
  { expected }: ChannelsRequest,
  { channelId, name }: { channelId: string; name: string },
  { states, isWhole }: { states: readonly ChannelState[]; isWhole: boolean },
): BoundChannel => {
  const entries = states.filter((entry) => entry.channelId === channelId);
  const state = entries.find(({ isOff }) => !isOff) ?? entries[0];
  if (state === undefined && !isWhole) return { channelId, name, status: null, before: {}, isUnread: true };
  const isThere = state !== undefined && !state.isGone;
  // An unknown status word is accepted.
  const fits = { live: state?.isOff === false, notLive: state?.isLive !== true, there: isThere }[expected];
  // On the marketplace, the listing's own status is checked instead.
  if (!fits && channelId !== marketChannel)
    throw createProblem(`WRONG_STATE.${refusalsByState[expected]}`, {
      field: 'channels',
      values: { channel: cleanChannelName(name) },
    });
  // The marketplace shows the fields of the listing itself, so they are not stored again.
  const before = channelId === marketChannel ? {} : (state?.fields ?? {});
  return { channelId, name, status: state?.status ?? null, before };
};

type ChannelContext = { channels?: BoundChannel[]; areMoreUnread?: true };

/** Reads the channels of a request. Throws if the service would refuse one of them. */
export const gatherChannels = async (gathering: ChannelsRequest, reads: Reads): Promise<ChannelContext> => {
  const asked = parseRequestedChannels(gathering);
  if (asked !== null && isMarketplaceOnly(asked)) return {};
  const list = await reads.plain('listChannels');
  if (asked !== null) refuseUnknownChannels(asked, list);
  const [answer, connections] = await Promise.all([
    reads.channels(gathering.listingId),
    gathering.expected === 'notLive' ? reads.plain('listConnections') : null,
  ]);
  const read = parseChannelList(answer);
  const named = asked ?? [...new Set(read.states.filter(({ isOff }) => !isOff).map(({ channelId }) => channelId))];
  // A request for all channels can also apply to channels that the answer does not show.
  const more = asked === null && !read.isWhole ? ({ areMoreUnread: true } as const) : {};
  if (isMarketplaceOnly(named)) return more;
  const channels = named.map((channelId) =>
    createBoundChannel(gathering, { channelId, name: getChannelName(list, channelId) }, read),
  );
  if (connections !== null) refuseUnconnectedChannels(named, list, connections);
  return { channels, ...more };
};

const isBoundChannel = (value: unknown): value is BoundChannel =>
  isRecord(value) && 'channelId' in value && 'name' in value && typeof value.name === 'string';

/** Returns the channels of a subject except the marketplace. */
export const listOtherChannels = (context: Record<string, unknown>): BoundChannel[] => {
  const { channels } = context;
  return Array.isArray(channels)
    ? channels.filter(isBoundChannel).filter(({ channelId }) => channelId !== marketChannel)
    : [];
};

const maxNameLength = 80;
/** Returns the name of a channel for use inside quotation marks. */
export const cleanChannelName = (name: string): string => cleanForeignText(name.slice(0, maxNameLength));
export const quoteChannelName = (name: string): Message =>
  createMessage('notices.quoted', { text: cleanChannelName(name) });

/** Returns the name of a channel, or a text with its id if the name is unknown. */
export const formatChannelName = ({ channelId, name }: Pick<BoundChannel, 'channelId' | 'name'>): Message =>
  name === channelId ? createMessage('values.unknownId', { id: channelId }) : quoteChannelName(name);

const listingFieldsOnChannel = new Set(['title', 'price', 'quantity', 'sku']);
/** Fields that the prompt already shows elsewhere. */
const fieldsShownElsewhere = new Set(['channelId', 'channel', 'id', 'externalId', 'name']);

export const addChannelToLabel = ({ labelSays: field }: FieldLabel, name: string): FieldLabel =>
  toFieldLabel(createMessage('values.fieldOn', { field, channel: quoteChannelName(name) }));

const createUnreadChannelFacts = (context: Record<string, unknown>): PromptFact[] => {
  const says = createMessage('values.unknown');
  const createUnknownFact = (key: string, label: Pick<PromptFact, 'label' | 'labelSays'>): PromptFact => ({
    ...{ namespace: 'record', key, ...label, value: formatEnglishMessage(says), says },
  });
  return [
    ...listOtherChannels(context)
      .filter(({ isUnread }) => isUnread)
      .map(({ channelId, name }) =>
        createUnknownFact(`on ${channelId} unread`, addChannelToLabel(createFieldLabel(['status']), name)),
      ),
    ...(context['areMoreUnread'] === true
      ? [createUnknownFact('channels unread', createFieldLabel(['channels']))]
      : []),
  ];
};

/** Returns facts about what buyers see on all channels except the marketplace. The approval is bound to these facts. */
export const createChannelFacts = (context: Record<string, unknown>, terms: ListingTerms): PromptFact[] => [
  ...createUnreadChannelFacts(context),
  ...createChannelFieldFacts(context, terms),
];

const formatChannelFieldLabel = (path: readonly string[], name: string): FieldLabel => {
  const [group, option = '', ...deeper] = path;
  return group === 'options' && option !== '' && deeper.length === 0
    ? toFieldLabel(
        createMessage('values.optionOn', { option: quoteForeignText(option), channel: quoteChannelName(name) }),
      )
    : addChannelToLabel(createFieldLabel(path), name);
};

const createChannelFieldFacts = (context: Record<string, unknown>, terms: ListingTerms): PromptFact[] =>
  listOtherChannels(context).flatMap(({ channelId, name, before }) =>
    listJsonLeaves(before)
      .filter(({ path: [field = ''], value }) => isValueSet(value) && !fieldsShownElsewhere.has(field))
      .map(({ path, value }): PromptFact => {
        const { text, says } = formatFieldValue(path.join('.'), value, terms);
        return {
          namespace: listingFieldsOnChannel.has(path.join('.')) ? 'listing' : 'record',
          key: `on ${channelId} ${createPathKey(path)}`,
          ...formatChannelFieldLabel(path, name),
          value: text,
          ...(says ? { says } : {}),
        };
      }),
  );

/** Returns the names of all channels except the marketplace; null if there are none. */
export const formatOtherChannels = (context: Record<string, unknown>): Message | null => {
  const [first, ...more] = listOtherChannels(context).map(formatChannelName);
  if (first === undefined) return null;
  return more.reduce((before, next) => createMessage('values.and', { before, next }), first);
};
