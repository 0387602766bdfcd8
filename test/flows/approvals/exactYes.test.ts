import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { InputOf, RouteName } from '../../../src/contract/index.ts';
import type { ApprovalView } from '../../../src/core/storage/tables/approvalRecord.ts';
import { pairAsker } from '../../helpers/assistant.ts';
import { drawnPhoto } from '../../helpers/practice.ts';
import { holdRequest } from '../../helpers/approvals/decisions.ts';
import { waitUntil } from '../../helpers/testClock.ts';
import { startWorld, type World } from '../../helpers/world.ts';
import type { Asker, Outcome } from '../../../src/core/base/request.ts';

let world: World;
let helper: Asker;
beforeEach(async () => {
  world = await startWorld();
  helper = pairAsker(world, 'Tidy Helper');
});
afterEach(() => world.close());

const getCompanion = () => world.companion();
const performBy = <N extends RouteName>(by: Asker, route: N, input: InputOf<N>): Promise<Outcome> =>
  getCompanion().perform({ by, route, input });
const readShown = (): ApprovalView => {
  const [waiting] = getCompanion().approvals.listPending();
  if (!waiting) throw new Error('No prompt is waiting.');
  return waiting;
};
const approveShown = ({ approvalId, digest }: ApprovalView) => world.pressYes(approvalId, digest);
const findFact = (approval: ApprovalView, label: string): string | undefined =>
  approval.prompt.facts.find(({ namespace, label: own }) => namespace === 'listing' && own === label)?.value;
/** Creates a listing in review whose publish the assistant requests. */
const requestPublish = async (): Promise<{ listingId: string; shown: ApprovalView }> => {
  const { listingId } = await world.reviewed();
  await performBy(helper, 'publishListing', { params: { listingId } });
  return { listingId, shown: readShown() };
};
/** Creates a live listing, published with an approval. */
const createLiveListing = async (): Promise<string> => {
  const { listingId } = await requestPublish();
  expect((await world.yes()).state).toBe('done');
  return listingId;
};

describe('confusing names of item specifics', () => {
  const shadows = { Price: 'US$49.00', Title: 'A gold watch', Quantity: '1', Condition: 'New', Site: 'MKT_DE' };

  test('item specifics named like listing fields do not hide the real fields', async () => {
    const { listingId } = await world.reviewed();
    const read = await world.listing(listingId);
    const itemSpecifics = { ...read.itemSpecifics, ...shadows };
    await performBy(helper, 'updateListing', { params: { listingId }, body: { itemSpecifics } });
    await performBy(helper, 'publishListing', { params: { listingId } });
    const shown = readShown();
    expect([findFact(shown, 'Price'), findFact(shown, 'Quantity'), findFact(shown, 'Condition')]).toEqual([
      'US$12.99',
      '1',
      'Used – good',
    ]);
    const named = shown.prompt.facts.filter(({ namespace }) => namespace === 'specifics');
    expect(Object.fromEntries(named.map(({ label, value }) => [label, value]))).toMatchObject(shadows);

    await performBy(helper, 'updateListing', {
      params: { listingId },
      body: { price: 100, quantity: 50, title: 'Another' },
    });
    const next = await approveShown(shown);
    expect(next.state).toBe('pending');
    expect(next.sinceShown.map(({ label, after }) => [label, after])).toEqual([
      ['Title', 'Another'],
      ['Price', 'US$1.00'],
      ['Quantity', '50'],
    ]);
    expect(await world.happened('publish')).toBe(0);
  });
});

describe('the photos in a prompt', () => {
  test('an approval is invalid if the bytes of a photo changed while its address did not', async () => {
    const { listingId, shown } = await requestPublish();
    const base64 = (await drawnPhoto(77)).toString('base64');
    // The companion trusts its own copies only until an upload slot is opened for the listing.
    await performBy(helper, 'requestUploads', {
      body: { listingId, files: [{ contentType: 'image/jpeg', index: 9 }] },
    });
    await world.practice.control('POST', '/photos', { listingId, base64 });
    const next = await approveShown(shown);
    expect(next).toMatchObject({ state: 'pending', sinceShown: [{ label: 'Photos' }] });
    expect(next.prompt.target?.photos[0]).not.toBe(shown.prompt.target?.photos[0]);
    expect(await world.happened('publish')).toBe(0);
  });

  test('the first photo in a prompt is stored under the hash in its address', async () => {
    const { shown } = await requestPublish();
    const [address = ''] = shown.prompt.target?.photos ?? [];
    const [, sha256 = ''] = /^\/bound-photos\/([0-9a-f]{64})$/.exec(address) ?? [];
    const found = await getCompanion().photo({ sha256 });
    expect(found).toMatchObject({ contentType: 'image/jpeg' });
  });

  test('a new prompt closes the upload slots that were opened before it', async () => {
    const bridge = await world.bridge();
    const { listingId } = await world.reviewed();
    const files = [{ contentType: 'image/jpeg' as const, index: 5 }];
    const given = await getCompanion().perform({
      by: helper,
      route: 'requestUploads',
      input: { body: { listingId, files } },
      reachedAt: bridge.url,
    });
    const [slot] = given.state === 'done' ? (given.answer as { uploadUrl: string }[]) : [];
    await performBy(helper, 'publishListing', { params: { listingId } });
    const put = await fetch(slot?.uploadUrl ?? '', {
      method: 'PUT',
      headers: { 'content-type': 'image/jpeg' },
      body: new Uint8Array(await drawnPhoto(5)),
    });
    expect([put.status, ((await put.json()) as { code: string }).code]).toEqual([403, 'UPLOAD_CLOSED']);
    await bridge.stop();
  });
});

describe('edits while a publish is in flight', () => {
  const delayService = (path: string, delayMs: number) => world.practice.fault({ method: 'POST', path, delayMs });

  test('an edit during a publish is refused, and the listing goes live as the prompt showed it', async () => {
    const { listingId, shown } = await requestPublish();
    await delayService('/market/publish/{listingId}', 1_500);
    const publishing = approveShown(shown);
    await waitUntil(() => getCompanion().approvals.readView(shown.approvalId).state === 'sending', 'the sending');
    const edit = performBy(helper, 'updateListing', { params: { listingId }, body: { price: 100 } }).catch(
      (error: unknown) => error,
    );
    // Five seconds of the companion's clock are over long before the slow service answers.
    world.clock.advance(6_000);
    expect(await edit).toMatchObject({ code: 'BEING_DECIDED', retryAfterS: 5 });
    expect((await publishing).state).toBe('done');
    expect((await world.listing(listingId)).price).toBe(1_299);
  });

  test('an edit that waits for a publish does not change the live listing', async () => {
    const { listingId, shown } = await requestPublish();
    await delayService('/market/publish/{listingId}', 400);
    const publishing = approveShown(shown);
    await waitUntil(() => getCompanion().approvals.readView(shown.approvalId).state === 'sending', 'the sending');
    const edit = performBy(helper, 'updateListing', { params: { listingId }, body: { price: 100 } }).catch(
      (error: unknown) => error,
    );
    expect((await publishing).state).toBe('done');
    expect(await edit).not.toMatchObject({ code: 'BEING_DECIDED' });
    expect((await world.listing(listingId)).price).toBe(1_299);
  });

  test('the person is notified if the live listing differs from the prompt', async () => {
    const { listingId, shown } = await requestPublish();
    const publish = await holdRequest(world, 'POST', '/market/publish/{listingId}');
    const publishing = approveShown(shown);
    await publish.arrived();
    // Another program edits the listing at the service while the publish is in flight.
    const key = (await world.secrets.get('agent-key practice')) ?? '';
    await world.practice.call(key, 'PUT', `/listings/${listingId}`, { title: 'Not what was shown' });
    await publish.go();
    expect(await publishing).toMatchObject({
      state: 'done',
      differences: [{ label: 'Title', before: 'blue shoes', after: 'Not what was shown' }],
    });
    expect(world.notices.at(-1)?.title).toBe('What is live differs from what you said yes to');
  });
});

describe('the fields shown in a prompt', () => {
  test('a prompt shows the condition note, and a changed note invalidates the approval', async () => {
    const { listingId } = await world.reviewed();
    const body = { conditionDescription: 'The spine is torn', packageWeightGrams: 640 };
    await performBy(helper, 'updateListing', { params: { listingId }, body });
    await performBy(helper, 'publishListing', { params: { listingId } });
    const shown = readShown();
    expect([findFact(shown, 'Condition description'), findFact(shown, 'Packed weight')]).toEqual([
      'The spine is torn',
      '1 lb 6.6 oz (640 g)',
    ]);
    await performBy(helper, 'updateListing', { params: { listingId }, body: { conditionDescription: 'Like new' } });
    expect((await approveShown(shown)).state).toBe('pending');
    expect(await world.happened('publish')).toBe(0);
  });

  test('if a change empties a field, the prompt says that all values of the field are removed', async () => {
    const { listingId } = await world.reviewed();
    await performBy(helper, 'updateListing', {
      params: { listingId },
      body: { itemSpecifics: {}, bestOffer: { enabled: true } },
    });
    const { changes } = readShown().prompt;
    expect(changes).toContainEqual(
      expect.objectContaining({ label: 'Item specifics', after: 'everything in it is removed' }),
    );
    expect(changes).toContainEqual(
      expect.objectContaining({ label: 'Item specific “Book Title”', before: 'Rivers', after: 'is removed' }),
    );
  });

  test('a field unknown to the companion is marked as unknown in the prompt', async () => {
    const { listingId } = await world.reviewed();
    await performBy(helper, 'publishChannels', {
      params: { listingId },
      body: { Price: 'US$1', nested: { deep: [1, {}] } },
    });
    const { facts, changes } = readShown().prompt;
    expect(facts.filter(({ namespace }) => namespace === 'request')).toMatchObject([
      { label: 'Unknown field “Price”', value: 'US$1', foreign: true },
      { label: 'Unknown field “nested.deep”', value: '[1,{}]', foreign: true },
    ]);
    expect(changes).toEqual([]);
    await expect(
      performBy(helper, 'publishListing', { params: { listingId }, body: { confirmed: true } }),
    ).rejects.toMatchObject({ code: 'INVALID_REQUEST', field: 'confirmed' });
  });

  test('the prompt shows a long description in full', async () => {
    const listingId = await createLiveListing();
    const description = `<p>${'word '.repeat(2_000)}the end</p>`;
    await performBy(helper, 'reviseListing', { params: { listingId }, body: { description } });
    const [change] = readShown().prompt.changes;
    expect(change?.after).toBe(description);
  });
});

test('a notification with an approve button names the auction format', async () => {
  await createLiveListing();
  getCompanion().changeSettings({ publishFromNotificationMinor: 500 });
  const requestAndReadNotice = async (name: string, fields: object) => {
    const { listingId } = await world.reviewed(name);
    const body = { format: 'AUCTION', itemSpecifics: { 'Book Title': 'Rivers' }, ...fields };
    await world.perform('updateListing', { params: { listingId }, body });
    await performBy(helper, 'publishListing', { params: { listingId } });
    return world.notices.at(-1);
  };
  const plain = await requestAndReadNotice('an auction', { description: 'A book about rivers.' });
  expect(plain?.text).toContain('Format: Auction');
  expect(plain?.yes?.label).toContain('Publish');
  // Characters that a desktop would parse as markup are replaced by look-alikes.
  const marked = await requestAndReadNotice('another auction', { description: '<b>A book</b> about rivers.' });
  expect(marked?.text).toContain('‹b›A book‹/b› about rivers.');
  expect(marked?.yes?.label).toContain('Publish');
});

describe('a change of the connected account', () => {
  const connectOther = async (): Promise<void> => {
    const email = 'other@example.com';
    await world.practice.person({ email, connected: true, site: 'MKT_US' });
    const { challengeId } = await getCompanion().connect.start(email);
    const mails = (await world.practice.control('GET', `/outbox?email=${email}`)) as { code?: string }[];
    await getCompanion().connect.verify({ challengeId, email, code: mails[0]?.code ?? '' });
  };

  test('pending approvals and pairings end when another account is connected', async () => {
    const bridge = await world.bridge();
    const { shown } = await requestPublish();
    await connectOther();
    await expect(approveShown(shown)).rejects.toMatchObject({ code: 'NOT_FOUND' });
    expect(getCompanion().approvals.listPending()).toEqual([]);
    expect(getCompanion().assistants.list().assistants).toEqual([]);
    await expect(performBy(helper, 'readStanding', {})).rejects.toMatchObject({ code: 'ASSISTANT_PAUSED' });
    expect(await world.happened('publish')).toBe(0);
    await bridge.stop();
  });

  test('an approval sends nothing if the account changes while the listing is re-read', async () => {
    const { listingId, shown } = await requestPublish();
    await world.practice.fault({ method: 'GET', path: '/listings/{listingId}', delayMs: 1_500 });
    const deciding = approveShown(shown).catch((error: unknown) => error);
    await connectOther();
    await deciding;
    expect(await world.happened('publish')).toBe(0);
    expect(getCompanion().approvals.listPending()).toEqual([]);
    expect(listingId).not.toBe('');
  });
});

describe('assistants that lose access', () => {
  test('a paused assistant loses its pending approvals, and its waiting requests end at once', async () => {
    const { listingId } = await world.reviewed();
    const waits = getCompanion()
      .perform({ by: helper, route: 'publishListing', input: { params: { listingId } }, waitMs: 45_000 })
      .catch((error: unknown) => error);
    const shown = await waitUntil(() => getCompanion().approvals.listPending()[0], 'the prompt');
    getCompanion().assistants.change(helper.kind === 'assistant' ? helper.assistantId : '', { paused: true });
    expect(await waits).toMatchObject({ code: 'APPROVAL_WITHDRAWN' });
    expect((await approveShown(shown)).state).toBe('withdrawn');
    expect(await world.happened('publish')).toBe(0);
  });

  test('the approvals of a revoked assistant are withdrawn', async () => {
    const { shown } = await requestPublish();
    getCompanion().assistants.revoke(helper.kind === 'assistant' ? helper.assistantId : '');
    expect((await approveShown(shown)).state).toBe('withdrawn');
  });
});

describe('irreversible acts', () => {
  test('an end that is undone within five seconds is not sent', async () => {
    const listingId = await createLiveListing();
    await performBy(helper, 'endListing', { params: { listingId } });
    const approved = await approveShown(readShown());
    expect(approved).toMatchObject({ state: 'approved', heldUntil: world.clock.now() + 5_000 });
    expect(getCompanion().approvals.takeBack(approved.approvalId)).toMatchObject({
      state: 'withdrawn',
      outcome: { code: 'TAKEN_BACK' },
    });
    await world.until(() => true);
    world.clock.advance(10_000);
    expect(await world.happened('end')).toBe(0);
    expect((await world.listing(listingId)).status).toBe('published');
  });

  test('an end is not sent if the price changes in the undo window', async () => {
    const listingId = await createLiveListing();
    await performBy(helper, 'endListing', { params: { listingId } });
    const shown = readShown();
    await approveShown(shown);
    const key = (await world.secrets.get('agent-key practice')) ?? '';
    await world.practice.call(key, 'POST', `/market/revise/${listingId}`, { price: 2_000 });
    const next = await world.until(() => getCompanion().approvals.listPending()[0], 'the new prompt');
    expect(next.sinceShown).toMatchObject([{ label: 'Price', after: 'US$20.00' }]);
    expect(await world.happened('end')).toBe(0);
  });

  test('an end whose undo window is interrupted by a crash gets a new prompt', async () => {
    const listingId = await createLiveListing();
    await performBy(helper, 'endListing', { params: { listingId } });
    await approveShown(readShown());
    await world.stop();
    await world.begin();
    const again = await waitUntil(() => getCompanion().approvals.listPending()[0], 'the prompt');
    expect(again).toMatchObject({ route: 'endListing', state: 'pending' });
    expect(await world.happened('end')).toBe(0);
    expect((await world.yes()).state).toBe('done');
    expect(await world.happened('end')).toBe(1);
  });

  test('a sale before the approval does not invalidate an end or a price change', async () => {
    const listingId = await createLiveListing();
    const key = (await world.secrets.get('agent-key practice')) ?? '';
    await world.practice.call(key, 'POST', `/market/revise/${listingId}`, { quantity: 5 });
    await performBy(helper, 'reviseListing', { params: { listingId }, body: { price: 1_500 } });
    const revise = readShown();
    await world.practice.control('POST', '/sales', { listingId });
    expect((await approveShown(revise)).state).toBe('done');
    await performBy(helper, 'endListing', { params: { listingId } });
    await world.practice.control('POST', '/sales', { listingId });
    expect((await world.yes()).state).toBe('done');
  });
});

test('an assistant needs an approval to turn off security notices, but not to turn off news', async () => {
  const who = await world.perform('readAccount', {});
  const { userId } = (who.state === 'done' ? who.answer : {}) as { userId: string };
  const changePreferences = (body: Record<string, unknown>) =>
    performBy(helper, 'updateUserNotificationPreferences', { params: { userId }, body });
  expect((await changePreferences({ news: false, sales: true })).state).toBe('done');
  expect((await changePreferences({ security: false })).state).toBe('pending');
  expect((await changePreferences({ billing: null, news: true })).state).toBe('pending');
  expect((await changePreferences({ unsubscribeAll: true })).state).toBe('pending');
});
