import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Asker } from '../../../src/core/base/request.ts';
import type { ApprovalView } from '../../../src/core/storage/tables/approvalRecord.ts';
import { pairAsker } from '../../helpers/assistant.ts';
import {
  requestPrompt,
  performAs,
  countRequests,
  readServiceKey,
  createWrittenListing,
} from '../../helpers/approvals/decisions.ts';
import { startWorld, type World } from '../../helpers/world.ts';

let world: World;
let by: Asker;
let params: { listingId: string };
beforeEach(async () => {
  world = await startWorld();
  by = pairAsker(world, 'Insistent');
  params = { listingId: await createWrittenListing(world) };
});
afterEach(() => world.close());

const getApprovals = () => world.companion().approvals;
const listPending = () => getApprovals().listPending();
const requestPublish = () => requestPrompt(world, 'publishListing', { params }, by);
const expectTooMany = () =>
  expect(performAs(world, by, 'publishListing', { params })).rejects.toMatchObject({
    code: 'TOO_MANY_WAITING',
    retryAfterS: expect.any(Number) as number,
  });
const editPrice = (count: number, editor: Asker = by) =>
  performAs(world, editor, 'updateListing', { params, body: { price: 1_000 + 100 * count } });

/** Starts a generation that needs no approval and makes the assistant's pending prompt impossible. */
const endPromptByGeneration = async (editor: Asker = by): Promise<void> => {
  const body = { intent: 'adapt_marketplace' as const, targetMarketplaceId: 'MKT_US' };
  const written = await performAs(world, editor, 'generateListing', { params, body });
  const answer = written.state === 'done' ? written.answer : null;
  await world.practice.fault({ method: 'GET', path: '/listings/{listingId}', body: answer });
  await performAs(world, by, 'readListing', { params });
  await world.until(() => listPending().length === 0, 'the end of the prompt');
  world.clock.advance(10_000);
  await performAs(world, by, 'readListing', { params });
};

describe('an assistant that changes the listing of its own prompt', () => {
  test('an assistant whose edits ended two prompts gets no third prompt for ten minutes', async () => {
    for (let drawn = 0; drawn < 2; drawn += 1) {
      await requestPublish();
      await endPromptByGeneration();
    }
    await expectTooMany();
    await world.stop();
    await world.begin();
    await expectTooMany();
    world.clock.advance(10 * 60_000);
    await requestPublish();
  });

  test('an assistant that edits the listing before each approval gets only three prompts', async () => {
    const seen: ApprovalView[] = [await requestPublish()];
    for (const count of [1, 2]) {
      await editPrice(count);
      seen.push(await world.approve(seen.at(-1) ?? (await requestPublish())));
    }
    expect(new Set(seen.map(({ approvalId }) => approvalId)).size).toBe(3);
    expect(seen.map(({ state }) => state)).toEqual(['pending', 'pending', 'pending']);
    await editPrice(3);
    const ended = await world.approve(seen.at(-1) ?? (await requestPublish()));
    expect(ended).toMatchObject({ state: 'superseded', supersededBy: null, outcome: { code: 'APPROVAL_WITHDRAWN' } });
    expect(ended.outcome?.sentence).toContain('kept changing the listing');
    expect(listPending()).toEqual([]);
    expect(await countRequests(world, 'publishListing')).toBe(0);
    await expectTooMany();
  });

  test('withdrawn prompts and edited prompts count towards the same limit of prompts', async () => {
    getApprovals().withdraw((await requestPublish()).approvalId);
    const second = await requestPublish();
    await editPrice(1);
    await world.approve(second);
    expect(listPending()).toHaveLength(1);
    await performAs(world, by, 'publishListing', { params, body: { autoDelistOnSale: false } }).then(
      () => expect.unreachable(),
      (error: unknown) => expect(error).toMatchObject({ code: 'TOO_MANY_WAITING' }),
    );
  });
});

test('an assistant that changes a corrected title back to the declined title gets no new prompt', async () => {
  const editTitle = (text: string) => performAs(world, by, 'updateListing', { params, body: { title: text } });
  await editTitle('Declined title');
  const declined = await requestPublish();
  getApprovals().decline(declined.approvalId, declined.digest, 'no');
  await editTitle('Corrected title');
  const corrected = await requestPublish();
  world.clock.advance(1_000);
  await editTitle('Declined title');
  expect(await world.approve(corrected)).toMatchObject({
    state: 'superseded',
    supersededBy: null,
    outcome: { code: 'APPROVAL_WITHDRAWN' },
  });
  expect(listPending()).toEqual([]);
  expect(await countRequests(world, 'publishListing')).toBe(0);
});

describe('changes by others to the listing of a prompt', () => {
  test.each(['the person', 'the service', 'another assistant'])(
    'changes by %s do not count towards the assistant’s limit of prompts',
    async (who) => {
      const key = await readServiceKey(world);
      const other = pairAsker(world, 'Other');
      let shown = await requestPublish();
      for (const count of [1, 2, 3, 4]) {
        if (who === 'the service')
          await world.practice.call(key, 'PUT', `/listings/${params.listingId}`, { price: 2_000 + count });
        else await editPrice(count, who === 'the person' ? { kind: 'person' } : other);
        shown = await world.approve(shown);
        expect(shown.state).toBe('pending');
      }
      expect((await world.approve(shown)).state).toBe('done');
    },
  );
});
