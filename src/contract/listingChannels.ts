import { titleLengths } from './limits.ts';
import { isPlainRecord } from './parseInput.ts';

/**
 * The channels of a listing. The interface documents neither the field that names channels nor the form of their
 * states: these names are the practice service's own, and answers are parsed leniently.
 */
export const marketChannel = 'market';

/** Returns the distinct channels that a body names, or null if it leaves the choice to the service. */
export const channelsNamed = (body: unknown): string[] | null => {
  const named = isPlainRecord(body) ? body['channels'] : undefined;
  if (!Array.isArray(named) || named.length === 0) return null;
  return named.every((one): one is string => typeof one === 'string' && one !== '') ? [...new Set(named)] : null;
};

/** Returns whether a request names channels without the marketplace. */
export const leavesMarketplace = (body: unknown): boolean => channelsNamed(body)?.includes(marketChannel) === false;

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

const textIn = (record: Record<string, unknown>, ...names: string[]): string | null => {
  const found = names.map((name) => record[name]).find((value) => typeof value === 'string' && value !== '');
  return typeof found === 'string' ? found : null;
};

const liveWord = /^(published|live|active)$/;
const offWord = /^(ended|sold|draft|pending_review|deleted|removed)$/;
const goneWord = /^(deleted|removed)$/;

const recordsIn = (answer: unknown): Record<string, unknown>[] => {
  const list = isPlainRecord(answer) ? answer['channels'] : answer;
  return Array.isArray(list) ? list.filter(isPlainRecord) : [];
};

/** Parses the channel states of a listing from an answer of the service. */
export const channelStatesIn = (answer: unknown): ChannelState[] =>
  recordsIn(answer).flatMap((fields) => {
    const channelId = textIn(fields, 'channelId', 'channel', 'id');
    const status = textIn(fields, 'status', 'state');
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

const plainId = (channelId: string): string => channelId.normalize('NFKC').trim().toLowerCase();

/**
 * Returns every entry that may be of a channel. Ids are case-sensitive, but an id that differs only in spelling may
 * still be the same channel.
 */
export const statesOfChannel = (states: readonly ChannelState[], channelId: string): ChannelState[] =>
  states.filter((state) => plainId(state.channelId) === plainId(channelId));

/**
 * Parses the channel states; `isWhole` is true if every entry was understood. Only then does a missing channel prove
 * its absence.
 */
export const channelListIn = (answer: unknown): { states: ChannelState[]; isWhole: boolean } => {
  const states = channelStatesIn(answer);
  const list = isPlainRecord(answer) ? answer['channels'] : answer;
  return { states, isWhole: Array.isArray(list) && list.length === states.length };
};

/** Parses the channel ids of the service's channel list, or null if none is understood. */
export const channelIdsIn = (answer: unknown): string[] | null => {
  const ids = recordsIn(answer).flatMap((record) => textIn(record, 'channelId', 'id') ?? []);
  return ids.length === 0 ? null : ids;
};

/** Parses the channels with a connected account, or null if the answer is not understood. */
export const connectedChannelsIn = (answer: unknown): string[] | null => {
  const list = isPlainRecord(answer) ? answer['connections'] : answer;
  if (!Array.isArray(list)) return null;
  const ids = list.map((one) => (isPlainRecord(one) ? textIn(one, 'channelId', 'channel') : null));
  return ids.every((one) => one !== null) ? ids : null;
};

/** Returns the name of a channel in the service's channel list, else its id. */
export const channelNameIn = (answer: unknown, channelId: string): string => {
  const found = recordsIn(answer).find((record) => textIn(record, 'channelId', 'id') === channelId);
  return (found && textIn(found, 'name', 'label', 'title')) ?? channelId;
};

/** Returns a channel's title limit in the service's channel list, or null if it has none. */
export const longestTitleIn = (answer: unknown, channelId: string): number | null => {
  const found = recordsIn(answer).find((record) => textIn(record, 'channelId', 'id') === channelId);
  const lengths = titleLengths.map((name) => found?.[name]);
  return lengths.find((length): length is number => typeof length === 'number' && length > 0) ?? null;
};
