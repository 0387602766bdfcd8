import { afterEach, expect, test } from 'vitest';
import * as z from 'zod';
import { waitUntil } from '../../helpers/testClock.ts';
import { startWorld, type World } from '../../helpers/world.ts';

let world: World;
afterEach(() => world.close());

const email = 'somebody-else@example.com';
const mails = z.array(z.looseObject({ code: z.string().optional() }));
const countDrafts = () => world.happened('draft');

const signInAsOther = async (): Promise<void> => {
  const { connect } = world.companion();
  const { challengeId } = await connect.start(email);
  const [mail] = mails.parse(await world.practice.control('GET', `/outbox?email=${encodeURIComponent(email)}`));
  await connect.verify({ challengeId, email, code: mail?.code ?? '' });
};

const dropFolder = async (name: string): Promise<string> => {
  const { itemIds } = await world.companion().add({ kind: 'paths', paths: [await world.folder(name)] });
  return itemIds[0] ?? '';
};

test('items of the first person are not sent while another person is connected', async () => {
  world = await startWorld();
  world.companion().pauseAll(true);
  const first = await dropFolder('blue shoes');
  await signInAsOther();
  world.companion().pauseAll(false);
  await world.item(await dropFolder('green lamp'), 'review');
  expect(await countDrafts()).toBe(1);

  await world.companion().connect.practice();
  await world.item(first, 'review');
  expect(await countDrafts()).toBe(2);
});

test('a person’s items are not sent while the practice service is connected', async () => {
  world = await startWorld({ person: null });
  await signInAsOther();
  world.companion().pauseAll(true);
  const first = await dropFolder('blue shoes');
  await world.companion().connect.practice();
  world.companion().pauseAll(false);
  await world.item(await dropFolder('green lamp'), 'review');
  expect(await countDrafts()).toBe(1);

  await signInAsOther();
  const view = await world.until(() => {
    const now = world.companion().items.get(first);
    return now.stop ?? (now.listingId !== null ? now : null);
  }, 'the draft of the first one');
  expect(view).toMatchObject({ itemId: first });
});

test('a sign-in during a read of all listings reads the new person’s listings at once', async () => {
  world = await startWorld();
  const companion = world.companion();
  const create = { body: { marketplaceId: 'MKT_US' } };
  const made = [await world.perform('createListing', create), await world.perform('createListing', create)];
  await world.until(() => companion.listings.counts().sync.doneAt !== null, 'the first reading');
  const first = await world.practice.person({ email: companion.state(null).person?.email ?? '' });
  for (const outcome of made) {
    const { listingId } = (outcome.state === 'done' ? outcome.answer : {}) as { listingId: string };
    expect((await world.practice.call(first.agentKey, 'DELETE', `/listings/${listingId}`)).status).toBe(200);
  }
  const other = await world.practice.person({ email });
  expect((await world.practice.call(other.agentKey, 'POST', '/listings', create.body)).status).toBe(201);

  world.clock.advance(2 * 60_000);
  companion.listings.readAgain();
  // The read has marked one of two deleted listings as missing.
  await waitUntil(() => companion.listings.counts().missing === 1, 'the first one to be missed');
  await signInAsOther();
  await world.until(() => companion.listings.counts().all === 1, 'the listing of the other person');
  expect(companion.listings.counts().sync).toMatchObject({ problem: null });

  await companion.connect.practice();
  companion.listings.readAgain();
  await world.until(() => companion.listings.counts().all === 0, 'both to be gone');
});

test('the first person remains connected if the new key cannot be stored', async () => {
  world = await startWorld();
  world.companion().pauseAll(true);
  const first = await dropFolder('blue shoes');
  const { set } = world.secrets;
  world.secrets.set = async () => {
    throw new Error('The keychain is locked.');
  };
  await expect(signInAsOther()).rejects.toThrow('The keychain is locked.');
  world.secrets.set = set;
  world.companion().pauseAll(false);
  await world.item(first, 'review');
});
