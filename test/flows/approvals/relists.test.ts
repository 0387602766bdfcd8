import Database from 'better-sqlite3';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { listing as listingShape, type Listing } from '../../../src/contract/index.ts';
import { countRequests, readServiceKey, createWrittenListing } from '../../helpers/approvals/decisions.ts';
import { startWorld, type World } from '../../helpers/world.ts';

let world: World;
beforeEach(async () => {
  world = await startWorld();
});
afterEach(() => world.close());

const listingPath = '/listings/{listingId}';
const clearFaults = () => world.practice.control('DELETE', '/faults');

/** Reads the stored copy of a listing. */
const readStoredCopy = (listingId: string): Partial<Listing> => {
  const db = new Database(`${world.dataDir}/companion.db`, { readonly: true });
  const text = db.prepare('select json from listings where listing_id = ?').pluck().get(listingId);
  db.close();
  return listingShape.parse(JSON.parse(String(text)));
};

const matchText = (part: string): unknown => expect.stringContaining(part);

describe('the outcome of a relist', () => {
  const createEndedListing = async () => {
    const key = await readServiceKey(world);
    const listingId = await world.practice.live(key);
    await world.practice.call(key, 'POST', `/market/end/${listingId}`, {});
    return listingId;
  };
  const relistListing = (listingId: string) => {
    let end: unknown = null;
    world.perform('relistListing', { params: { listingId } }).then(
      (outcome) => (end = outcome),
      (error: unknown) => (end = error),
    );
    return world.until(() => end, 'the end');
  };

  const refusal = 'Our shelves are full.';
  const refused = { status: 409, code: 'MARKET_REFUSED', error: refusal };
  const claimed = { status: 200, body: { success: true } };
  const unread = { times: 100_000, status: 503 };
  /** The service's answer and the listing's state, the faults that cause them (null for none), and the outcome. */
  const cells: [answer: string, reading: string, call: object | null, read: object | null, told: object][] = [
    ['done', 'done', null, null, { state: 'done' }],
    ['done', 'not done', claimed, null, { code: 'CONTRADICTED' }],
    [
      ...(['done', 'unreadable', null, unread] as const),
      {
        code: 'UNCONFIRMED',
        message: matchText('cannot be read yet to check it. Look at the listing before you ask once more;'),
      },
    ],
    [
      ...(['refused', 'done', { ...refused, done: true }, null] as const),
      { code: 'REFUSED_YET_DONE', message: matchText(`the listing shows that it is done. ${refusal}`) },
    ],
    ['refused', 'not done', refused, null, { code: 'MARKET_REFUSED', message: refusal }],
    ['refused', 'unreadable', refused, unread, { code: 'MARKET_REFUSED', message: refusal }],
    ['lost', 'done', { drop: 'after' }, null, { state: 'done', answer: { status: 'pending_review' } }],
    ['lost', 'not done', { drop: 'before' }, null, { code: 'NOT_DONE', message: matchText('nothing happened') }],
    [
      'lost',
      'unreadable',
      { drop: 'after' },
      unread,
      { code: 'UNCONFIRMED', message: matchText('The service did not answer') },
    ],
    [
      ...(['an error', 'not done', { status: 500, error: refusal }, null] as const),
      { code: 'NOT_DONE', message: matchText(`“${refusal}”`) },
    ],
    [
      ...(['a success with the status failed', 'not done'] as const),
      { status: 200, body: { success: true, status: 'failed' } },
      null,
      { code: 'NOT_DONE', message: matchText('“status: failed”') },
    ],
  ];
  test.each(cells)(
    'a relist has the correct outcome for the service’s answer “%s” and the listing state “%s”',
    async (_answer, _reading, call, read, told) => {
      const listingId = await createEndedListing();
      if (call) await world.practice.fault({ method: 'POST', path: '/listings/{listingId}/relist', ...call });
      if (read) await world.practice.fault({ method: 'GET', path: listingPath, ...read });
      expect(await relistListing(listingId)).toMatchObject(told);
      await clearFaults();
      expect(await countRequests(world, 'relistListing')).toBeLessThanOrEqual(1);
    },
  );

  test('a relist of a listing in review is refused in one plain sentence', async () => {
    const listingId = await createWrittenListing(world);
    const sentence = 'This listing is waiting for review; it cannot be relisted now.';
    expect(await relistListing(listingId)).toMatchObject({ code: 'WRONG_STATE', message: sentence });
  });

  const setRelistAnswer = (body: object) =>
    world.practice.fault({ method: 'POST', path: '/listings/{listingId}/relist', status: 200, body });

  test.each([null, 7, '', ['lst_1']])(
    'a relist whose response contains the invalid listing id %j is not done',
    async (listingId) => {
      const own = await createEndedListing();
      await setRelistAnswer({ listingId, status: 'pending_review' });
      expect(await relistListing(own)).toMatchObject({
        code: 'NOT_DONE',
        message: matchText('could not be understood'),
      });
    },
  );

  test('a relist whose response names a missing listing is reported as contradicted', async () => {
    const own = await createEndedListing();
    await setRelistAnswer({ listingId: 'lst_nowhere', status: 'pending_review' });
    expect(await relistListing(own)).toMatchObject({ code: 'CONTRADICTED' });
  });

  test('a relist whose response names an unreadable listing is reported as unconfirmed', async () => {
    const own = await createEndedListing();
    await setRelistAnswer({ listingId: 'lst_nowhere', status: 'pending_review' });
    await world.practice.fault({ method: 'GET', path: listingPath, ...unread });
    expect(await relistListing(own)).toMatchObject({ code: 'UNCONFIRMED' });
  });

  test.each(['live', 'in review'])(
    'a relist whose response names another listing that is %s is reported as contradicted',
    async (how) => {
      const own = await createEndedListing();
      const other =
        how === 'live' ? await world.practice.live(await readServiceKey(world)) : await createWrittenListing(world);
      const before = await world.listing(other);
      await setRelistAnswer({ listingId: other, status: 'pending_review', title: 'HIJACKED', price: 1 });
      expect(await relistListing(own)).toMatchObject({ code: 'CONTRADICTED' });
      expect(readStoredCopy(other)).toMatchObject({ title: before.title, price: before.price, status: before.status });
    },
  );

  test('the result of a relist contains the values that a read returns, not those in the response', async () => {
    const own = await createEndedListing();
    const made = await world.practice.written(await readServiceKey(world));
    await setRelistAnswer({ listingId: made, status: 'pending_review', title: 'HIJACKED', price: 1 });
    const told = await relistListing(own);
    expect(told).toMatchObject({ state: 'done', answer: { listingId: made, status: 'pending_review' } });
    expect(told).not.toMatchObject({ answer: { title: 'HIJACKED' } });
    expect(readStoredCopy(made).title).toBe((await world.listing(made)).title);
  });

  test('a response to an edit or a creation never changes the copy of another listing', async () => {
    const [own, other] = [await createWrittenListing(world), await createWrittenListing(world)];
    const before = await world.listing(other);
    const lie = { listingId: other, status: 'pending_review', title: 'HIJACKED', price: 1 };
    await world.practice.fault({ method: 'PUT', path: listingPath, status: 200, body: lie });
    await world.perform('updateListing', { params: { listingId: own }, body: { price: 900 } });
    await world.practice.fault({ method: 'POST', path: '/listings', status: 201, body: lie });
    await world.perform('createListing', { body: {} });
    expect(readStoredCopy(other).title).toBe(before.title);
  });

  test('a relist without a response is reported as unconfirmed, not as failed', async () => {
    const listingId = await createEndedListing();
    await world.practice.fault({ method: 'POST', path: '/listings/{listingId}/relist', silent: 'before' });
    expect(await relistListing(listingId)).toMatchObject({ code: 'UNCONFIRMED' });
  });

  test('a relist does not lock its listing, even if every read contradicts the relist', async () => {
    const listingId = await createEndedListing();
    await world.practice.fault({ method: 'GET', path: listingPath, times: 100_000, body: { status: 'ended' } });
    expect(await relistListing(listingId)).toMatchObject({ code: 'CONTRADICTED' });
    await clearFaults();
    expect(await world.perform('updateListing', { params: { listingId }, body: { price: 900 } })).toMatchObject({
      state: 'done',
    });
  });
});
