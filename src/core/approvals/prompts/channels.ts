import { channelNameIn, channelsNamed, channelStatesIn, marketChannel } from '../../../contract/index.ts';
import { message, type Message } from '../../../i18n/message.ts';
import { problem } from '../../base/problem.ts';
import { withoutMarkup } from '../../base/messages.ts';
import { isRecord } from '../../base/json.ts';
import type { Reads } from './prompt.ts';

/** A channel that a request names, as a yes is bound to it: its name, how the listing stands there, what is changed there. */
type BoundChannel = { channelId: string; name: string; status: string | null; before: Record<string, unknown> };

type Wanted = 'live' | 'notLive' | 'there';

const refusals = { live: 'notOnChannel', notLive: 'onChannel', there: 'notOnChannel' } as const;

type Gathering = {
  listingId: string;
  body: Record<string, unknown>;
  wanted: Wanted;
  /** A request that names no channel is for all where the listing is live; without this, for the marketplace. */
  silentMeansAll?: true;
};

/** The channels that a request is for; null where they must be read. Refuses what could be shown as something else. */
const channelsOf = ({ body, silentMeansAll }: Gathering): string[] | null => {
  if (body['channels'] === undefined) return silentMeansAll ? null : [];
  const named = channelsNamed(body);
  if (named === null) throw problem('INVALID_REQUEST.channels', { field: 'channels' });
  return named;
};

const onlyMarket = (channelIds: readonly string[]): boolean => channelIds.every((one) => one === marketChannel);

/**
 * Reads the channels that a request is for; none where it is for the marketplace alone. Refuses what the service would
 * refuse: a listing that does not stand there as `wanted`.
 */
export const gatherChannels = async (gathering: Gathering, reads: Reads): Promise<{ channels?: BoundChannel[] }> => {
  const { listingId, body, wanted } = gathering;
  const asked = channelsOf(gathering);
  if (asked !== null && onlyMarket(asked)) return {};
  const [list, answer] = await Promise.all([reads.plain('listChannels'), reads.channels(listingId)]);
  const states = channelStatesIn(answer);
  const named = asked ?? states.filter(({ isLive }) => isLive).map(({ channelId }) => channelId);
  if (onlyMarket(named)) return {};
  const channels = named.map((channelId) => {
    const state = states.find((one) => one.channelId === channelId);
    const isThere = state !== undefined && !state.isGone;
    const fits = { live: state?.isLive === true, notLive: state?.isLive !== true, there: isThere }[wanted];
    const name = channelNameIn(list, channelId);
    // The listing's own status tells of the marketplace.
    if (!fits && channelId !== marketChannel)
      throw problem(`WRONG_STATE.${refusals[wanted]}`, { field: 'channels', values: { channel: name } });
    const before = Object.fromEntries(
      Object.entries(state?.fields ?? {}).filter(([field]) => field !== 'channels' && Object.hasOwn(body, field)),
    );
    return { channelId, name, status: state?.status ?? null, before };
  });
  return { channels };
};

const isBound = (value: unknown): value is BoundChannel =>
  isRecord(value) && 'channelId' in value && 'name' in value && typeof value.name === 'string';

/** The channels of a subject besides the marketplace. */
export const othersIn = (context: Record<string, unknown>): BoundChannel[] => {
  const { channels } = context;
  return Array.isArray(channels) ? channels.filter(isBound).filter(({ channelId }) => channelId !== marketChannel) : [];
};

/** Marks that could end a quotation of ours; a name of the service's stands in marks, so that it is none of our words. */
const marks = /["“”„‟«»‹›″＂〝〞]/g;
const longestName = 80;
/** The name of a channel as it stands among words of ours. */
export const quotedChannel = (name: string): Message =>
  message('notices.quoted', { text: withoutMarkup(name.slice(0, longestName).replace(marks, "'")) });

/** The names of the channels of a subject besides the marketplace; null where there are none. */
export const otherChannels = (context: Record<string, unknown>): Message | null => {
  const [first, ...more] = othersIn(context).map(({ name }) => quotedChannel(name));
  if (first === undefined) return null;
  return more.reduce((before, next) => message('values.and', { before, next }), first);
};
