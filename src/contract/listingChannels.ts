import { titleLengths } from './limits.ts';
import { isPlainRecord } from './parseInput.ts';

/**
 * The channels of a listing. The interface documents neither the field that names channels nor the form of their
 * states: these names are the practice service's own, and answers are parsed leniently.
 */
export const marketChannel = 'market';

/** Returns the distinct channels that a body names, or null if it leaves the choice to the service. */
export const readNamedChannels = (body: unknown): string[] | null => {
  const listedChannels = isPlainRecord(body) ? body['channels'] : undefined;
  if (!Array.isArray(listedChannels) || listedChannels.length === 0) return null;
  return listedChannels.every((channelId): channelId is string => typeof channelId === 'string' && channelId !== '')
    ? [...new Set(listedChannels)]
    : null;
};

/** Returns whether a request names channels without the marketplace. */
export const isWithoutMarketplace = (body: unknown): boolean =>
  readNamedChannels(body)?.includes(marketChannel) === false;

/** The state of a listing on one channel, with the service's own `status` and all answered fields. */
export type ChannelState = {
  channelId: string;
  status: string;
  isLive: boolean;
  /** True for a known status word that means "not live". An unknown word is neither live nor off. */
  isOff: boolean;
  /** True if the listing was removed from the channel. */
  isGone: boolean;
  fields: Record<string, unknown>;
};

const findFirstText = (record: Record<string, unknown>, ...names: string[]): string | null => {
  const found = names.map((name) => record[name]).find((value) => typeof value === 'string' && value !== '');
  return typeof found === 'string' ? found : null;
};

const liveWord = /^(published|live|active)$/;
const offWord = /^(ended|sold|draft|pending_review|deleted|removed)$/;
const goneWord = /^(deleted|removed)$/;

const listChannelRecords = (answer: unknown): Record<string, unknown>[] => {
  const list = isPlainRecord(answer) ? answer['channels'] : answer;
  return Array.isArray(list) ? list.filter(isPlainRecord) : [];
};

/** Parses the channel states of a listing from an answer of the service. */
export const parseChannelStates = (answer: unknown): ChannelState[] =>
  listChannelRecords(answer).flatMap((fields) => {
    const channelId = findFirstText(fields, 'channelId', 'channel', 'id');
    const status = findFirstText(fields, 'status', 'state');
    if (channelId === null || status === null) return [];
    const word = status.trim().toLowerCase();
    return [
      {
        channelId,
        status,
        isLive: liveWord.test(word),
        isOff: offWord.test(word),
        isGone: goneWord.test(word),
        fields,
      },
    ];
  });

const normaliseChannelId = (channelId: string): string => channelId.normalize('NFKC').trim().toLowerCase();

/**
 * Returns every entry that may be of a channel. Ids are case-sensitive, but an id that differs only in spelling may
 * still be the same channel.
 */
export const filterStatesOfChannel = (states: readonly ChannelState[], channelId: string): ChannelState[] =>
  states.filter((state) => normaliseChannelId(state.channelId) === normaliseChannelId(channelId));

/**
 * Parses the channel states; `isWhole` is true if every entry was understood. Only then does a missing channel prove
 * its absence.
 */
export const parseChannelList = (answer: unknown): { states: ChannelState[]; isWhole: boolean } => {
  const states = parseChannelStates(answer);
  const list = isPlainRecord(answer) ? answer['channels'] : answer;
  return { states, isWhole: Array.isArray(list) && list.length === states.length };
};

/** Parses the channel ids of the service's channel list, or null if none is understood. */
export const parseChannelIds = (answer: unknown): string[] | null => {
  const ids = listChannelRecords(answer).flatMap((record) => findFirstText(record, 'channelId', 'id') ?? []);
  return ids.length === 0 ? null : ids;
};

/** Parses the channels with a connected account, or null if the answer is not understood. */
export const parseConnectedChannels = (answer: unknown): string[] | null => {
  const list = isPlainRecord(answer) ? answer['connections'] : answer;
  if (!Array.isArray(list)) return null;
  const ids = list.map((one) => (isPlainRecord(one) ? findFirstText(one, 'channelId', 'channel') : null));
  return ids.every((connection) => connection !== null) ? ids : null;
};

/** Returns the name of a channel in the service's channel list, else its id. */
export const findChannelName = (answer: unknown, channelId: string): string => {
  const found = listChannelRecords(answer).find((record) => findFirstText(record, 'channelId', 'id') === channelId);
  return (found && findFirstText(found, 'name', 'label', 'title')) ?? channelId;
};

/** Returns a channel's title limit in the service's channel list, or null if it has none. */
export const findMaxTitleLength = (answer: unknown, channelId: string): number | null => {
  const found = listChannelRecords(answer).find((record) => findFirstText(record, 'channelId', 'id') === channelId);
  const lengths = titleLengths.map((name) => found?.[name]);
  return lengths.find((length): length is number => typeof length === 'number' && length > 0) ?? null;
};
