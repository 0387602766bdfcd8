import { titleLimitFields } from './limits.ts';
import { findFirstText, isPlainRecord } from './untrusted.ts';

/**
 * The interface documents neither the field that names channels nor the states of a channel. This file uses the names
 * of the practice service and parses answers leniently.
 */
export const marketChannel = 'market';

/** Returns the distinct channel ids in a request body; null if the body has none or if one is invalid. */
export const parseNamedChannels = (body: unknown): string[] | null => {
  const listedChannels = isPlainRecord(body) ? body['channels'] : undefined;
  if (!Array.isArray(listedChannels) || listedChannels.length === 0) return null;
  return listedChannels.every((channelId): channelId is string => typeof channelId === 'string' && channelId !== '')
    ? [...new Set(listedChannels)]
    : null;
};

/** Returns whether a request body names channels but not the marketplace. */
export const excludesMarketplace = (body: unknown): boolean =>
  parseNamedChannels(body)?.includes(marketChannel) === false;

export type ChannelState = {
  channelId: string;
  status: string;
  isLive: boolean;
  /** True for a status word that means "not live". An unknown status word sets neither `isLive` nor `isOff`. */
  isOff: boolean;
  isGone: boolean;
  fields: Record<string, unknown>;
};

const liveWord = /^(published|live|active)$/;
const offWord = /^(ended|sold|draft|pending_review|deleted|removed)$/;
const goneWord = /^(deleted|removed)$/;

const listChannelRecords = (answer: unknown): Record<string, unknown>[] => {
  const list = isPlainRecord(answer) ? answer['channels'] : answer;
  return Array.isArray(list) ? list.filter(isPlainRecord) : [];
};

/** Parses the channel states in an answer of the service. */
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
 * Returns every state that might belong to the channel: ids that differ only in letter case, outer spaces or Unicode
 * form might name the same channel.
 */
export const filterChannelStates = (states: readonly ChannelState[], channelId: string): ChannelState[] =>
  states.filter((state) => normaliseChannelId(state.channelId) === normaliseChannelId(channelId));

/**
 * Parses the channel states. If `isWhole` is false, an entry was not understood, so a missing channel might still
 * exist.
 */
export const parseChannelList = (answer: unknown): { states: ChannelState[]; isWhole: boolean } => {
  const states = parseChannelStates(answer);
  const list = isPlainRecord(answer) ? answer['channels'] : answer;
  return { states, isWhole: Array.isArray(list) && list.length === states.length };
};

/** Parses the ids in the service's channel list; null if the list has none. */
export const parseChannelIds = (answer: unknown): string[] | null => {
  const ids = listChannelRecords(answer).flatMap((record) => findFirstText(record, 'channelId', 'id') ?? []);
  return ids.length === 0 ? null : ids;
};

/** Parses the ids of the channels that have a connected account; null if an entry is not understood. */
export const parseConnectedChannels = (answer: unknown): string[] | null => {
  const list = isPlainRecord(answer) ? answer['connections'] : answer;
  if (!Array.isArray(list)) return null;
  const ids = list.map((one) => (isPlainRecord(one) ? findFirstText(one, 'channelId', 'channel') : null));
  return ids.every((connection) => connection !== null) ? ids : null;
};

/** Returns the name of a channel in the service's channel list, or the channel id if the list has no name. */
export const getChannelName = (answer: unknown, channelId: string): string => {
  const found = listChannelRecords(answer).find((record) => findFirstText(record, 'channelId', 'id') === channelId);
  return (found && findFirstText(found, 'name', 'label', 'title')) ?? channelId;
};

/** Returns the title limit of a channel in the service's channel list; null if the list has none. */
export const findMaxTitleLength = (answer: unknown, channelId: string): number | null => {
  const found = listChannelRecords(answer).find((record) => findFirstText(record, 'channelId', 'id') === channelId);
  const lengths = titleLimitFields.map((name) => found?.[name]);
  return lengths.find((length): length is number => typeof length === 'number' && length > 0) ?? null;
};
