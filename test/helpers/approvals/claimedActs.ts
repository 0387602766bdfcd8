import type { Listing, RouteName } from '../../../src/contract/index.ts';
import type { Reply } from '../hosts/gateway.ts';
import type { World } from '../world.ts';
import { readServiceKey } from './decisions.ts';

/** The service's answer to the request. */
export type Answer = 'done' | 'refused' | 'lost';
export type Reading = 'done' | 'not done' | 'unreadable';

export type Act = {
  route: RouteName;
  call: RegExp;
  /** The state of the listing before the request, and the fields that a read shows afterwards. */
  from: 'pending' | 'live';
  body?: object;
  /** Fields that the listing has before the request, if a read shows them differently. */
  before?: object;
  /** The listing as read after the request; null if it is gone. */
  after: object | null;
  /** The same for the second channel, which has the value of `before` until the request is done. */
  corner?: { before: object[]; after: object[] };
  done: string;
};

const live = [{ channelId: 'corner', status: 'published', price: 1_299 }];
const onCorner = { body: { channels: ['corner'] }, from: 'live', after: {} } as const;
export const acts: Record<string, Act> = {
  publish: {
    ...{ route: 'publishListing', call: /^POST \/market\/publish\//, from: 'pending', after: { status: 'published' } },
    done: 'Published. The listing is live.',
  },
  revise: {
    ...{ route: 'reviseListing', call: /^POST \/market\/revise\//, from: 'live', after: { price: 899 } },
    ...{ body: { price: 899 }, done: 'The live listing was changed.' },
  },
  end: {
    ...{ route: 'endListing', call: /^POST \/market\/end\//, from: 'live', after: { status: 'ended' } },
    done: 'The listing has ended.',
  },
  delete: {
    ...{ route: 'deleteListing', call: /^DELETE \/listings\//, from: 'pending', after: null },
    done: 'The listing was deleted.',
  },
  'publish on a channel': {
    ...{ ...onCorner, route: 'publishChannels', call: /channels\/publish$/, corner: { before: [], after: live } },
    done: 'Published. The listing is live there.',
  },
  'revise on a channel': {
    ...{ ...onCorner, route: 'reviseChannels', call: /channels\/revise$/, body: { channels: ['corner'], price: 900 } },
    corner: { before: live, after: [{ channelId: 'corner', status: 'published', price: 900 }] },
    done: 'The live listing was changed.',
  },
  'end on a channel': {
    ...{ ...onCorner, route: 'endChannels', call: /channels\/end$/ },
    corner: { before: live, after: [{ channelId: 'corner', status: 'ended' }] },
    done: 'The listing is off that channel. The marketplace was not touched.',
  },
  'delete from a channel': {
    ...{ ...onCorner, route: 'deleteFromChannels', call: /channels\/delete$/ },
    corner: { before: [{ channelId: 'corner', status: 'ended' }], after: [{ channelId: 'corner', status: 'deleted' }] },
    done: 'The listing is off that channel. The marketplace was not touched.',
  },
};

export const refusal = 'The marketplace says no.';
/** The expected state, code and sentence for each answer and read; null for the request's own sentence. */
export const cells: Record<Answer, Record<Reading, [state: string, code: string | null, sentence: string | null]>> = {
  done: {
    done: ['done', null, null],
    'not done': [
      ...(['unconfirmed', 'CONTRADICTED'] as const),
      'The service says it is done, but the listing says otherwise. Look at the listing before you ask once more; it is not sent again.',
    ],
    unreadable: [
      ...(['unconfirmed', 'UNCONFIRMED'] as const),
      'The service says it is done. The listing cannot be read yet to check it; the companion looks again and sends nothing again.',
    ],
  },
  refused: {
    done: [
      ...(['failed', 'REFUSED_YET_DONE'] as const),
      `The service refused it, but the listing shows that it is done. ${refusal}`,
    ],
    'not done': ['failed', 'MARKET_REFUSED', refusal],
    unreadable: ['failed', 'MARKET_REFUSED', refusal],
  },
  lost: {
    done: ['done', null, null],
    'not done': [
      ...(['failed', 'NOT_DONE'] as const),
      'The service did not answer, and a check shows that nothing happened. You can ask again.',
    ],
    unreadable: [
      ...(['unconfirmed', 'UNCONFIRMED'] as const),
      'The service did not answer. The companion is checking whether it went through; it is not sent again.',
    ],
  },
};

export const replies = {
  done: { status: 200, body: { success: true } },
  refused: { status: 409, body: { error: refusal, code: 'MARKET_REFUSED' } },
  lost: 'drop',
} as const;
const noReading = { status: 503, body: { error: 'Not now.' } };

/** Creates a listing to which the request can be applied. */
export const createListingFor = async (world: World, { from }: Act): Promise<string> => {
  const key = await readServiceKey(world);
  return from === 'pending' ? world.practice.written(key) : world.practice.live(key);
};

/**
 * Makes the service answer the request as `answer` says without performing it, and all later reads as `reading` says.
 */
export const fakeServiceAnswers = (
  act: Act,
  listed: Listing,
  answer: Answer,
  reading: Reading,
): ((call: string) => Reply | null) => {
  const before = { ...listed, ...act.before };
  let sent = false;
  const listing = (): Reply => {
    const after = reading === 'done' ? act.after : {};
    return after === null
      ? { status: 404, body: { error: 'Not found.' } }
      : { status: 200, body: { ...before, ...after } };
  };
  const channels = (): Reply => ({
    status: 200,
    body: { channels: (sent && reading === 'done' ? act.corner?.after : act.corner?.before) ?? [] },
  });
  return (call) => {
    if (!call.includes(listed.listingId)) return null;
    if (act.call.test(call)) {
      sent = true;
      return replies[answer];
    }
    const isChannels = act.corner !== undefined && /^GET .*\/channels$/.test(call);
    if (!sent && isChannels) return channels();
    if (!sent) return act.before && /^GET \/listings\/[^/]+$/.test(call) ? { status: 200, body: before } : null;
    if (!call.startsWith('GET ')) return null;
    if (reading === 'unreadable') return noReading;
    return isChannels ? channels() : listing();
  };
};
