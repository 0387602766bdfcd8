import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { InputOf, RouteName } from '../../../src/contract/index.ts';
import type { Asker } from '../../../src/core/base/request.ts';
import type { ApprovalView } from '../../../src/core/storage/tables/approvalRecord.ts';
import { pairAsker } from '../../helpers/assistant.ts';
import { requestPrompt, performAs, readServiceKey, createWrittenListing } from '../../helpers/approvals/decisions.ts';
import { connectCorner } from '../../helpers/practice/channels.ts';
import { startWorld, type World } from '../../helpers/world.ts';

let world: World;
let by: Asker;
beforeEach(async () => {
  world = await startWorld();
  by = pairAsker(world, 'Pushy');
});
afterEach(() => world.close());

const passMinutes = (count: number): void => world.clock.advance(count * 60_000);
const getApprovals = () => world.companion().approvals;
const listPending = () => getApprovals().listPending();
const askByAssistant = <N extends RouteName>(route: N, input: InputOf<N>) => requestPrompt(world, route, input, by);
const declineApproval = ({ approvalId, digest }: ApprovalView) => getApprovals().decline(approvalId, digest, 'no');
const expectRefused = <N extends RouteName>(code: string, route: N, input: InputOf<N>) =>
  expect(performAs(world, by, route, input)).rejects.toMatchObject({ code });
const expectDeclined = <N extends RouteName>(route: N, input: InputOf<N>) =>
  expectRefused('PERSON_DECLINED', route, input);
const expectTooMany = <N extends RouteName>(route: N, input: InputOf<N>) =>
  expectRefused('TOO_MANY_WAITING', route, input);
const toTemplate = (name: string, note?: string) => ({ body: { name, ...(note === undefined ? {} : { note }) } });
const toChannelPublish = (listingId: string, ...channels: string[]) => ({ params: { listingId }, body: { channels } });

/** Connects a second channel and creates a listing. */
const createListingWithTwoChannels = async (): Promise<string> => {
  await connectCorner(world.practice, await readServiceKey(world));
  return createWrittenListing(world);
};

/** Creates a listing that is live on both channels. */
const createListingOnBothChannels = async (): Promise<string> => {
  const listingId = await createListingWithTwoChannels();
  await world.perform('publishChannels', toChannelPublish(listingId, 'market', 'corner'));
  await world.yes();
  passMinutes(30);
  return listingId;
};
const toChannelRevision = (listingId: string, price: number, ...channels: string[]) => ({
  params: { listingId },
  body: { price, channels },
});

describe('approvals that lift a decline', () => {
  test('an approval of one template does not lift the decline of another template', async () => {
    const books = await askByAssistant('createTemplate', toTemplate('Books'));
    const toys = await askByAssistant('createTemplate', toTemplate('Toys'));
    const games = await askByAssistant('createTemplate', toTemplate('Games'));
    await world.approve(toys);
    declineApproval(books);
    await expectDeclined('createTemplate', toTemplate('Books'));
    await world.approve(games);
    await expectDeclined('createTemplate', toTemplate('Books'));
    await world.stop();
    await world.begin();
    await expectDeclined('createTemplate', toTemplate('Books'));
  });

  test('an approval of one template allows no second correction of another template that was declined', async () => {
    const books = await askByAssistant('createTemplate', toTemplate('Books'));
    const games = await askByAssistant('createTemplate', toTemplate('Games'));
    declineApproval(books);
    declineApproval(await askByAssistant('createTemplate', toTemplate('Books', 'corrected')));
    await world.approve(games);
    await expectDeclined('createTemplate', toTemplate('Books', 'corrected again'));
  });

  test('an approval given before a decline never lifts the decline, even if the clock changes', async () => {
    const params = { listingId: await createWrittenListing(world) };
    const market = await askByAssistant('publishListing', { params });
    await world.approve(market);
    passMinutes(30);
    const revise = { params, body: { price: 1_000 } };
    await world.approve(await askByAssistant('reviseListing', revise));
    world.clock.jumpWall(-60 * 60_000);
    passMinutes(1);
    declineApproval(await askByAssistant('reviseListing', { params, body: { price: 2_000 } }));
    await world.stop();
    await world.begin();
    await expectDeclined('reviseListing', { params, body: { price: 2_000 } });
  });

  test('an approval given after a decline lifts the decline, even if the clock changes', async () => {
    const params = { listingId: await createWrittenListing(world) };
    await world.perform('publishListing', { params });
    await world.yes();
    passMinutes(30);
    declineApproval(await askByAssistant('reviseListing', { params, body: { price: 2_000 } }));
    world.clock.jumpWall(-60 * 60_000);
    passMinutes(1);
    await world.approve(await askByAssistant('reviseListing', { params, body: { price: 1_000 } }));
    await world.stop();
    await world.begin();
    await askByAssistant('reviseListing', { params, body: { price: 900 } });
    expect(listPending()).toHaveLength(1);
  });

  test('an approval on one channel does not lift the decline on another channel', async () => {
    const listingId = await createListingOnBothChannels();
    declineApproval(await askByAssistant('reviseChannels', toChannelRevision(listingId, 1_000, 'market', 'corner')));
    await world.approve(await askByAssistant('reviseChannels', toChannelRevision(listingId, 900, 'corner')));
    await expectDeclined('reviseListing', { params: { listingId }, body: { price: 800 } });
    await expectDeclined('reviseChannels', toChannelRevision(listingId, 800, 'market', 'corner'));
    await askByAssistant('reviseChannels', toChannelRevision(listingId, 800, 'corner'));
  });

  test('another asker’s approval does not lift the decline of an assistant’s request', async () => {
    const params = { listingId: await createWrittenListing(world) };
    await world.perform('publishListing', { params });
    await world.yes();
    const body = { price: 1_000 };
    declineApproval(await askByAssistant('reviseListing', { params, body }));
    await world.approve(
      await requestPrompt(world, 'reviseListing', { params, body: { price: 999 } }, pairAsker(world, 'B')),
    );
    await world.perform('reviseListing', { params, body: { price: 998 } });
    await world.yes();
    await expectDeclined('reviseListing', { params, body });
  });
});

describe('a changed list of channels', () => {
  test('a changed list of channels leads to no new prompt for a declined channel', async () => {
    const listingId = await createListingWithTwoChannels();
    declineApproval(await askByAssistant('publishChannels', toChannelPublish(listingId, 'market', 'corner')));
    await expectDeclined('publishChannels', toChannelPublish(listingId, 'corner'));
    await expectDeclined('publishChannels', toChannelPublish(listingId, 'market'));
    await expectDeclined('publishListing', { params: { listingId } });
  });

  test('a change of the list of channels uses up the limit of changes on every channel involved', async () => {
    const listingId = await createListingOnBothChannels();
    await askByAssistant('reviseChannels', toChannelRevision(listingId, 1_000, 'market', 'corner'));
    await askByAssistant('reviseChannels', toChannelRevision(listingId, 1_000, 'corner'));
    const both = await askByAssistant('reviseChannels', toChannelRevision(listingId, 1_000, 'corner', 'market'));
    expect(listPending().map(({ approvalId }) => approvalId)).toEqual([both.approvalId]);
    await expectTooMany('reviseListing', { params: { listingId }, body: { price: 900 } });
    await expectTooMany('reviseChannels', toChannelRevision(listingId, 900, 'corner'));
  });
});

describe('values that only look different', () => {
  const title = 'Blue canvas shoes 42';
  const createListing = async () => {
    const params = { listingId: await createWrittenListing(world) };
    await world.perform('updateListing', { params, body: { title } });
    return params;
  };

  test('a title changed only in case or look-alike letters leads to no new prompt', async () => {
    const params = await createListing();
    declineApproval(await askByAssistant('publishListing', { params }));
    for (const same of [
      'BLUE CANVAS SHOES 42',
      ' Blue  canvas, shoes 42!',
      'Blu\u0435 canv\u0430s sh\u043ees 42',
      'Blue\u200b canvas shoes 42',
    ]) {
      await performAs(world, by, 'updateListing', { params, body: { title: same } });
      await expectDeclined('publishListing', { params });
    }
    await performAs(world, by, 'updateListing', { params, body: { title: 'Red shoes' } });
    await askByAssistant('publishListing', { params });
  });

  test('small price changes and a repeated quantity lead to no new prompt after a decline', async () => {
    const params = { listingId: await createWrittenListing(world) };
    await world.perform('publishListing', { params });
    await world.yes();
    passMinutes(30);
    const toRevision = (body: Record<string, unknown>) => ({ params, body });
    declineApproval(await askByAssistant('reviseListing', toRevision({ price: 10_000 })));
    for (const price of [9_600, 9_800, 10_400]) await expectDeclined('reviseListing', toRevision({ price }));
    await expectDeclined('reviseListing', toRevision({ price: 10_000, quantity: 1 }));
    declineApproval(await askByAssistant('reviseListing', toRevision({ price: 9_400 })));
    await expectDeclined('reviseListing', toRevision({ price: 4_000 }));
    await expectDeclined('reviseListing', toRevision({ price: 10_000, title: 'Another title altogether' }));
  });

  test('a declined template name in other case or punctuation leads to no new prompt', async () => {
    declineApproval(await askByAssistant('createTemplate', toTemplate('Books')));
    for (const name of ['books', 'BOOKS!', ' Books ', 'B\u043eoks'])
      await expectDeclined('createTemplate', toTemplate(name));
  });
});

describe('renamed templates', () => {
  test('an assistant that withdrew two templates cannot request a third under another name', async () => {
    for (const name of ['Books', 'Toys'])
      getApprovals().withdraw((await askByAssistant('createTemplate', toTemplate(name))).approvalId);
    await expectTooMany('createTemplate', toTemplate('Games'));
    passMinutes(10);
    await askByAssistant('createTemplate', toTemplate('Games'));
  });

  test('a template requested again under a look-alike name has the same prompt', async () => {
    await askByAssistant('createTemplate', toTemplate('Books'));
    await askByAssistant('createTemplate', toTemplate('B\u043e\u043eks '));
    expect(listPending()).toHaveLength(1);
  });
});

describe('declines shared by batches and single requests', () => {
  const toPublish = (listingId: string, body: Record<string, unknown> = {}) => ({
    route: 'publishListing' as const,
    input: { params: { listingId }, body },
  });
  const requestBatch = async (...ids: string[]) => {
    const [asked] = await world.companion().batches.requestBatches(
      by,
      ids.map((id) => toPublish(id)),
    );
    return asked?.rows.map(({ problem }) => problem?.code);
  };
  const listShownRows = () =>
    world
      .companion()
      .batches.listOpen()
      .map(({ rows }) => rows.map(({ listingId }) => listingId));

  test('a listing that was declined alone is left out of a batch', async () => {
    const [no = '', one = '', two = ''] = [
      await createWrittenListing(world),
      await createWrittenListing(world),
      await createWrittenListing(world),
    ];
    declineApproval(await askByAssistant('publishListing', { params: { listingId: no } }));
    expect(await requestBatch(no, one, two)).toEqual(['PERSON_DECLINED', undefined, undefined]);
    expect(listShownRows()).toEqual([[one, two]]);
    await world.stop();
    await world.begin();
    expect(listShownRows()).toEqual([[one, two]]);
  });

  test('a row that the person did not select is left out of the next batch', async () => {
    const [yes = '', no = '', one = ''] = [
      await createWrittenListing(world),
      await createWrittenListing(world),
      await createWrittenListing(world),
    ];
    await requestBatch(yes, no);
    const { batches } = world.companion();
    const [batch] = batches.listOpen();
    const [first, second] = batch?.rows.flatMap(({ approval }) => approval ?? []) ?? [];
    await world.pressYesToRows(batch?.batchId ?? '', first ? [first] : [], second ? [second] : []);
    await world.until(() => batches.readBatch(batch?.batchId ?? '').state === 'over', 'the end of the batch');
    batches.closeBatch(batch?.batchId ?? '', []);
    await expectDeclined('publishListing', { params: { listingId: no }, body: { autoDelistOnSale: false } });
    expect(await requestBatch(no, one)).toEqual(['PERSON_DECLINED', undefined]);
    expect(listShownRows()).toEqual([[one]]);
  });

  test('a listing whose prompt was withdrawn too often is left out of a batch', async () => {
    const [twice = '', one = ''] = [await createWrittenListing(world), await createWrittenListing(world)];
    for (const autoDelistOnSale of [true, false])
      getApprovals().withdraw(
        (await askByAssistant('publishListing', { params: { listingId: twice }, body: { autoDelistOnSale } }))
          .approvalId,
      );
    expect(await requestBatch(twice, one)).toEqual(['TOO_MANY_WAITING', undefined]);
    expect(listShownRows()).toEqual([[one]]);
  });
});

describe('the limit of two changes in ten minutes', () => {
  const createListing = async () => ({ params: { listingId: await createWrittenListing(world) } });

  test('the limit of two changes of a prompt survives a restart and ends after ten minutes', async () => {
    const input = await createListing();
    for (const autoDelistOnSale of [true, false]) {
      const { approvalId } = await askByAssistant('publishListing', { ...input, body: { autoDelistOnSale } });
      passMinutes(1);
      getApprovals().withdraw(approvalId);
    }
    await expectTooMany('publishListing', input);
    world.clock.jumpWall(-3 * 365 * 24 * 60 * 60_000);
    await expectTooMany('publishListing', input);
    await world.stop();
    await world.begin();
    await expectTooMany('publishListing', input);
    world.clock.advance(10 * 60_000 - 1);
    await expectTooMany('publishListing', input);
    world.clock.advance(1);
    await askByAssistant('publishListing', input);
  });

  test('each change of a prompt renews the time at which the prompt was shown', async () => {
    const input = await createListing();
    await askByAssistant('publishListing', input);
    for (const autoDelistOnSale of [true, false]) {
      world.clock.advance(5_000);
      const changed = await askByAssistant('publishListing', { ...input, body: { autoDelistOnSale } });
      expect(changed.shownAt).toBe(world.clock.now());
    }
  });

  test('after a restart, a changed request supersedes the pending prompt', async () => {
    const input = await createListing();
    const first = await askByAssistant('publishListing', input);
    await world.stop();
    await world.begin();
    const second = await askByAssistant('publishListing', { ...input, body: { autoDelistOnSale: true } });
    expect(getApprovals().readView(first.approvalId).supersededBy).toBe(second.approvalId);
    expect(listPending()).toHaveLength(1);
  });
});

test('a request that differs only in an irrelevant field leads to no second prompt', async () => {
  const listingId = await createWrittenListing(world);
  const toEdit = (marketplaceId: string) => ({
    params: { listingId },
    body: { bestOffer: { enabled: true, autoAcceptCents: 500 }, marketplaceId },
  });
  await askByAssistant('updateListing', toEdit('MKT_US'));
  await performAs(world, by, 'updateListing', toEdit('MKT_GB')).catch(() => undefined);
  await performAs(world, by, 'updateListing', toEdit('MKT_DE')).catch(() => undefined);
  expect(listPending()).toHaveLength(1);
});
