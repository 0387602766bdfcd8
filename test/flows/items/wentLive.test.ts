import { afterEach, describe, expect, test } from 'vitest';
import { requestPrompt, holdRequest, readServiceKey, createWrittenListing } from '../../helpers/approvals/decisions.ts';
import { drawnPhoto } from '../../helpers/practice.ts';
import { startWorld, type World } from '../../helpers/world.ts';

let world: World;
afterEach(() => world.close());

const askToPublish = async () => {
  const listingId = await createWrittenListing(world);
  return { listingId, shown: await requestPrompt(world, 'publishListing', { params: { listingId } }) };
};
const holdPublish = () => holdRequest(world, 'POST', '/market/publish/{listingId}');

describe('the published listing compared with its prompt', () => {
  test('no difference is reported if the listing goes live as the prompt showed it', async () => {
    world = await startWorld();
    const { shown } = await askToPublish();
    expect(await world.pressYes(shown.approvalId, shown.digest)).toMatchObject({ state: 'done', differences: [] });
    expect(world.notices.filter(({ kind }) => kind === 'approvals')).toEqual([]);
  });

  test.each([
    ['the title', 'Title', { title: 'Not what you saw' }],
    ['the price', 'Price', { price: 1 }],
    ['the item specifics', 'Item specifics', { itemSpecifics: { 'Book Title': 'Seas' } }],
  ])('a change of %s during the publish is reported', async (_what, label, body) => {
    world = await startWorld();
    const { listingId, shown } = await askToPublish();
    const publish = await holdPublish();
    const yes = world.pressYes(shown.approvalId, shown.digest);
    await publish.arrived();
    const changed = await world.practice.call(await readServiceKey(world), 'PUT', `/listings/${listingId}`, body);
    expect(changed.status).toBe(200);
    await publish.go();
    expect(await yes).toMatchObject({ state: 'done', differences: [{ label }] });
    expect(world.notices.at(-1)).toMatchObject({ kind: 'approvals', place: '/approvals' });
  });

  test('a photo that changes during the publish is reported', async () => {
    world = await startWorld();
    const { listingId, shown } = await askToPublish();
    const publish = await holdPublish();
    const yes = world.pressYes(shown.approvalId, shown.digest);
    await publish.arrived();
    const base64 = (await drawnPhoto(8)).toString('base64');
    await world.practice.control('POST', '/photos', { listingId, index: 0, base64 });
    await publish.go();
    expect(await yes).toMatchObject({ state: 'done', differences: [{ label: 'Photos' }] });
  });
});
