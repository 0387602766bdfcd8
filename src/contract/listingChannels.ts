import { titleLengths } from './limits.ts';
import { isPlainRecord } from './parseInput.ts';

/**
 * Channels of a listing. The interface shows neither what names them in a body nor how their states are answered: the names
 * here are the practice service's own, and what is answered is read as far as it is understood.
 */
export const marketChannel = 'market';

/** The channels that a body names, each once; null where it leaves that to the service. */
export const channelsNamed = (body: unknown): string[] | null => {
  const named = isPlainRecord(body) ? body['channels'] : undefined;
  if (!Array.isArray(named) || named.length === 0) return null;
  return named.every((one): one is string => typeof one === 'string' && one !== '') ? [...new Set(named)] : null;
};

/** Whether a request that names channels leaves the marketplace's own alone. */
export const leavesMarketplace = (body: unknown): boolean => channelsNamed(body)?.includes(marketChannel) === false;

/** How a listing stands on one channel: `status` in the service's own word, and every field that was answered. */
export type ChannelState = {
  channelId: string;
  status: string;
  isLive: boolean;
  /** By a word that is known to mean so; a word that is not known is neither live nor off. */
  isOff: boolean;
  /** It was there and was taken away again. */
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

/** Where a listing is or was live, from an answer of the service. */
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

/** Every entry that may be of that channel: ids count by case, yet one in another spelling is no sign that it is not there. */
export const statesOfChannel = (states: readonly ChannelState[], channelId: string): ChannelState[] =>
  states.filter((state) => plainId(state.channelId) === plainId(channelId));

/** The same, and whether every entry of the answer is understood: only then does a channel that is missing mean something. */
export const channelListIn = (answer: unknown): { states: ChannelState[]; isWhole: boolean } => {
  const states = channelStatesIn(answer);
  const list = isPlainRecord(answer) ? answer['channels'] : answer;
  return { states, isWhole: Array.isArray(list) && list.length === states.length };
};

/** The ids of the channels in the service's list of them; null where nothing of it is understood. */
export const channelIdsIn = (answer: unknown): string[] | null => {
  const ids = recordsIn(answer).flatMap((record) => textIn(record, 'channelId', 'id') ?? []);
  return ids.length === 0 ? null : ids;
};

/** The channels on which an account is connected; null where the answer is not understood. */
export const connectedChannelsIn = (answer: unknown): string[] | null => {
  const list = isPlainRecord(answer) ? answer['connections'] : answer;
  if (!Array.isArray(list)) return null;
  const ids = list.map((one) => (isPlainRecord(one) ? textIn(one, 'channelId', 'channel') : null));
  return ids.every((one) => one !== null) ? ids : null;
};

/** The name of a channel in the service's list of them; its id where the list has none. */
export const channelNameIn = (answer: unknown, channelId: string): string => {
  const found = recordsIn(answer).find((record) => textIn(record, 'channelId', 'id') === channelId);
  return (found && textIn(found, 'name', 'label', 'title')) ?? channelId;
};

/** How long a title a channel of that list takes; null where the list does not say. */
export const longestTitleIn = (answer: unknown, channelId: string): number | null => {
  const found = recordsIn(answer).find((record) => textIn(record, 'channelId', 'id') === channelId);
  const lengths = titleLengths.map((name) => found?.[name]);
  return lengths.find((length): length is number => typeof length === 'number' && length > 0) ?? null;
};
