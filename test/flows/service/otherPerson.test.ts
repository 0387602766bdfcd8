import { afterEach, expect, test } from 'vitest';
import * as z from 'zod';
import { settled } from '../../helpers/testClock.ts';
import { startWorld, type World } from '../../helpers/world.ts';

let world: World;
afterEach(() => world.close());

const email = 'somebody-else@example.com';
const mails = z.array(z.looseObject({ code: z.string().optional() }));
const drafts = () => world.happened('draft');

const signInAsSomebodyElse = async (): Promise<void> => {
  const { connect } = world.companion();
  const { challengeId } = await connect.start(email);
  const [mail] = mails.parse(await world.practice.control('GET', `/outbox?email=${encodeURIComponent(email)}`));
  await connect.verify({ challengeId, email, code: mail?.code ?? '' });
};

/** Drops a folder whose item waits before its next step, as everything does. */
const dropped = async (name: string): Promise<string> => {
  const { itemIds } = await world.companion().add({ kind: 'paths', paths: [await world.folder(name)] });
  return itemIds[0] ?? '';
};

test('signing in as another person sends nothing of the first person, whose items continue after they return', async () => {
  world = await startWorld();
  world.companion().pauseAll(true);
  const first = await dropped('blue shoes');
  await signInAsSomebodyElse();
  world.companion().pauseAll(false);
  await world.item(await dropped('green lamp'), 'review');
  expect(await drafts()).toBe(1);

  await world.companion().connect.practice();
  await world.item(first, 'review');
  expect(await drafts()).toBe(2);
});

test('switching to practice sends nothing of the previously signed-in person', async () => {
  world = await startWorld({ person: null });
  await signInAsSomebodyElse();
  world.companion().pauseAll(true);
  const first = await dropped('blue shoes');
  await world.companion().connect.practice();
  world.companion().pauseAll(false);
  await world.item(await dropped('green lamp'), 'review');
  expect(await drafts()).toBe(1);

  await signInAsSomebodyElse();
  const view = await world.until(() => {
    const now = world.companion().items.get(first);
    return now.stop ?? (now.listingId !== null ? now : null);
  }, 'the draft of the first one');
  expect(view).toMatchObject({ itemId: first });
});

test('signing in during a read of the first person’s listings reads the new person’s listings at once', async () => {
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
  // One of two was looked for, and the second waits.
  await settled(() => companion.listings.counts().missing === 1, 'the first one to be missed');
  await signInAsSomebodyElse();
  await world.until(() => companion.listings.counts().all === 1, 'the listing of the other person');
  expect(companion.listings.counts().sync).toMatchObject({ problem: null });

  await companion.connect.practice();
  companion.listings.readAgain();
  await world.until(() => companion.listings.counts().all === 0, 'both to be gone');
});

test('a key that cannot be stored in the keychain keeps the first person connected, and their items continue', async () => {
  world = await startWorld();
  world.companion().pauseAll(true);
  const first = await dropped('blue shoes');
  const { set } = world.secrets;
  world.secrets.set = async () => {
    throw new Error('The keychain is locked.');
  };
  await expect(signInAsSomebodyElse()).rejects.toThrow('The keychain is locked.');
  world.secrets.set = set;
  world.companion().pauseAll(false);
  await world.item(first, 'review');
});
