import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { InputOf, RouteName } from '../../../src/contract/index.ts';
import type { Asker } from '../../../src/core/base/request.ts';
import type { ApprovalView } from '../../../src/core/storage/tables/approvalRecord.ts';
import { pairedAsker } from '../../helpers/assistant.ts';
import { askFor, performAs, serviceKey, writtenListing } from '../../helpers/approvals/decisions.ts';
import { connectCorner } from '../../helpers/practice/channels.ts';
import { startWorld, type World } from '../../helpers/world.ts';

let world: World;
let by: Asker;
beforeEach(async () => {
  world = await startWorld();
  by = pairedAsker(world, 'Pushy');
});
afterEach(() => world.close());

const minutes = (count: number): void => world.clock.advance(count * 60_000);
const approvals = () => world.companion().approvals;
const waiting = () => approvals().listPending();
const ask = <N extends RouteName>(route: N, input: InputOf<N>) => askFor(world, route, input, by);
const decline = ({ approvalId, digest }: ApprovalView) => approvals().decline(approvalId, digest, 'no');
const isRefused = <N extends RouteName>(code: string, route: N, input: InputOf<N>) =>
  expect(performAs(world, by, route, input)).rejects.toMatchObject({ code });
const isDeclined = <N extends RouteName>(route: N, input: InputOf<N>) => isRefused('PERSON_DECLINED', route, input);
const isTooMuch = <N extends RouteName>(route: N, input: InputOf<N>) => isRefused('TOO_MANY_WAITING', route, input);
const template = (name: string, note?: string) => ({ body: { name, ...(note === undefined ? {} : { note }) } });
const publishOn = (listingId: string, ...channels: string[]) => ({ params: { listingId }, body: { channels } });

/** Connects a second channel and creates a listing. */
const twoPlaces = async (): Promise<string> => {
  await connectCorner(world.practice, await serviceKey(world));
  return writtenListing(world);
};

/** Creates a listing that is live on both channels. */
const liveAtBoth = async (): Promise<string> => {
  const listingId = await twoPlaces();
  await world.perform('publishChannels', publishOn(listingId, 'market', 'corner'));
  await world.yes();
  minutes(30);
  return listingId;
};
const reviseOn = (listingId: string, price: number, ...channels: string[]) => ({
  params: { listingId },
  body: { price, channels },
});

describe('approvals that lift a decline', () => {
  test('an approval of one template does not lift the decline of another', async () => {
    const books = await ask('createTemplate', template('Books'));
    const toys = await ask('createTemplate', template('Toys'));
    const games = await ask('createTemplate', template('Games'));
    await world.approve(toys);
    decline(books);
    await isDeclined('createTemplate', template('Books'));
    await world.approve(games);
    await isDeclined('createTemplate', template('Books'));
    await world.stop();
    await world.begin();
    await isDeclined('createTemplate', template('Books'));
  });

  test('an approval of one template allows no second correction of a declined template', async () => {
    const books = await ask('createTemplate', template('Books'));
    const games = await ask('createTemplate', template('Games'));
    decline(books);
    decline(await ask('createTemplate', template('Books', 'corrected')));
    await world.approve(games);
    await isDeclined('createTemplate', template('Books', 'corrected again'));
  });

  test('an approval given before a decline never lifts it, even if the clock changes', async () => {
    const params = { listingId: await writtenListing(world) };
    const market = await ask('publishListing', { params });
    await world.approve(market);
    minutes(30);
    const revise = { params, body: { price: 1_000 } };
    await world.approve(await ask('reviseListing', revise));
    world.clock.jumpWall(-60 * 60_000);
    minutes(1);
    decline(await ask('reviseListing', { params, body: { price: 2_000 } }));
    await world.stop();
    await world.begin();
    await isDeclined('reviseListing', { params, body: { price: 2_000 } });
  });

  test('an approval given after a decline lifts it, even if the clock changes', async () => {
    const params = { listingId: await writtenListing(world) };
    await world.perform('publishListing', { params });
    await world.yes();
    minutes(30);
    decline(await ask('reviseListing', { params, body: { price: 2_000 } }));
    world.clock.jumpWall(-60 * 60_000);
    minutes(1);
    await world.approve(await ask('reviseListing', { params, body: { price: 1_000 } }));
    await world.stop();
    await world.begin();
    await ask('reviseListing', { params, body: { price: 900 } });
    expect(waiting()).toHaveLength(1);
  });

  test('an approval on one channel does not lift the decline on another', async () => {
    const listingId = await liveAtBoth();
    decline(await ask('reviseChannels', reviseOn(listingId, 1_000, 'market', 'corner')));
    await world.approve(await ask('reviseChannels', reviseOn(listingId, 900, 'corner')));
    await isDeclined('reviseListing', { params: { listingId }, body: { price: 800 } });
    await isDeclined('reviseChannels', reviseOn(listingId, 800, 'market', 'corner'));
    await ask('reviseChannels', reviseOn(listingId, 800, 'corner'));
  });

  test('another asker’s approval does not lift the decline of an assistant’s request', async () => {
    const params = { listingId: await writtenListing(world) };
    await world.perform('publishListing', { params });
    await world.yes();
    const body = { price: 1_000 };
    decline(await ask('reviseListing', { params, body }));
    await world.approve(
      await askFor(world, 'reviseListing', { params, body: { price: 999 } }, pairedAsker(world, 'B')),
    );
    await world.perform('reviseListing', { params, body: { price: 998 } });
    await world.yes();
    await isDeclined('reviseListing', { params, body });
  });
});

describe('a changed list of channels', () => {
  test('a changed list of channels leads to no new prompt for a declined channel', async () => {
    const listingId = await twoPlaces();
    decline(await ask('publishChannels', publishOn(listingId, 'market', 'corner')));
    await isDeclined('publishChannels', publishOn(listingId, 'corner'));
    await isDeclined('publishChannels', publishOn(listingId, 'market'));
    await isDeclined('publishListing', { params: { listingId } });
  });

  test('a changed list of channels is treated as a change on each previous channel', async () => {
    const listingId = await liveAtBoth();
    await ask('reviseChannels', reviseOn(listingId, 1_000, 'market', 'corner'));
    await ask('reviseChannels', reviseOn(listingId, 1_000, 'corner'));
    const both = await ask('reviseChannels', reviseOn(listingId, 1_000, 'corner', 'market'));
    expect(waiting().map(({ approvalId }) => approvalId)).toEqual([both.approvalId]);
    await isTooMuch('reviseListing', { params: { listingId }, body: { price: 900 } });
    await isTooMuch('reviseChannels', reviseOn(listingId, 900, 'corner'));
  });
});

describe('values that only look different', () => {
  const title = 'Blue canvas shoes 42';
  const listed = async () => {
    const params = { listingId: await writtenListing(world) };
    await world.perform('updateListing', { params, body: { title } });
    return params;
  };

  test('a title changed only in case or look-alike letters leads to no new prompt', async () => {
    const params = await listed();
    decline(await ask('publishListing', { params }));
    for (const same of [
      'BLUE CANVAS SHOES 42',
      ' Blue  canvas, shoes 42!',
      'Blu\u0435 canv\u0430s sh\u043ees 42',
      'Blue\u200b canvas shoes 42',
    ]) {
      await performAs(world, by, 'updateListing', { params, body: { title: same } });
      await isDeclined('publishListing', { params });
    }
    await performAs(world, by, 'updateListing', { params, body: { title: 'Red shoes' } });
    await ask('publishListing', { params });
  });

  test('small price changes and a repeated quantity lead to no new prompt after a decline', async () => {
    const params = { listingId: await writtenListing(world) };
    await world.perform('publishListing', { params });
    await world.yes();
    minutes(30);
    const revise = (body: Record<string, unknown>) => ({ params, body });
    decline(await ask('reviseListing', revise({ price: 10_000 })));
    for (const price of [9_600, 9_800, 10_400]) await isDeclined('reviseListing', revise({ price }));
    await isDeclined('reviseListing', revise({ price: 10_000, quantity: 1 }));
    decline(await ask('reviseListing', revise({ price: 9_400 })));
    await isDeclined('reviseListing', revise({ price: 4_000 }));
    await isDeclined('reviseListing', revise({ price: 10_000, title: 'Another title altogether' }));
  });

  test('a declined template name with other case or punctuation leads to no new prompt', async () => {
    decline(await ask('createTemplate', template('Books')));
    for (const name of ['books', 'BOOKS!', ' Books ', 'B\u043eoks']) await isDeclined('createTemplate', template(name));
  });
});

describe('renamed templates', () => {
  test('an assistant that withdrew two templates cannot request a third under another name', async () => {
    for (const name of ['Books', 'Toys'])
      approvals().withdraw((await ask('createTemplate', template(name))).approvalId);
    await isTooMuch('createTemplate', template('Games'));
    minutes(10);
    await ask('createTemplate', template('Games'));
  });

  test('a template requested again under a look-alike name has the same prompt', async () => {
    await ask('createTemplate', template('Books'));
    await ask('createTemplate', template('B\u043e\u043eks '));
    expect(waiting()).toHaveLength(1);
  });
});

describe('declines shared by batches and single requests', () => {
  const publish = (listingId: string, body: Record<string, unknown> = {}) => ({
    route: 'publishListing' as const,
    input: { params: { listingId }, body },
  });
  const askTogether = async (...ids: string[]) => {
    const [asked] = await world.companion().batches.requestBatches(
      by,
      ids.map((id) => publish(id)),
    );
    return asked?.rows.map(({ problem }) => problem?.code);
  };
  const shownRows = () =>
    world
      .companion()
      .batches.listOpen()
      .map(({ rows }) => rows.map(({ listingId }) => listingId));

  test('a listing that was declined alone is left out of a batch', async () => {
    const [no = '', one = '', two = ''] = [
      await writtenListing(world),
      await writtenListing(world),
      await writtenListing(world),
    ];
    decline(await ask('publishListing', { params: { listingId: no } }));
    expect(await askTogether(no, one, two)).toEqual(['PERSON_DECLINED', undefined, undefined]);
    expect(shownRows()).toEqual([[one, two]]);
    await world.stop();
    await world.begin();
    expect(shownRows()).toEqual([[one, two]]);
  });

  test('a row that the person did not select is left out of the next batch', async () => {
    const [yes = '', no = '', one = ''] = [
      await writtenListing(world),
      await writtenListing(world),
      await writtenListing(world),
    ];
    await askTogether(yes, no);
    const { batches } = world.companion();
    const [batch] = batches.listOpen();
    const [first, second] = batch?.rows.flatMap(({ approval }) => approval ?? []) ?? [];
    await batches.approveRows(batch?.batchId ?? '', first ? [first] : [], second ? [second] : []);
    await world.until(() => batches.readBatch(batch?.batchId ?? '').state === 'over', 'the end of the batch');
    batches.closeBatch(batch?.batchId ?? '', []);
    await isDeclined('publishListing', { params: { listingId: no }, body: { autoDelistOnSale: false } });
    expect(await askTogether(no, one)).toEqual(['PERSON_DECLINED', undefined]);
    expect(shownRows()).toEqual([[one]]);
  });

  test('a listing whose prompt was withdrawn too often is left out of a batch', async () => {
    const [twice = '', one = ''] = [await writtenListing(world), await writtenListing(world)];
    for (const autoDelistOnSale of [true, false])
      approvals().withdraw(
        (await ask('publishListing', { params: { listingId: twice }, body: { autoDelistOnSale } })).approvalId,
      );
    expect(await askTogether(twice, one)).toEqual(['TOO_MANY_WAITING', undefined]);
    expect(shownRows()).toEqual([[one]]);
  });
});

describe('the limit of two changes in ten minutes', () => {
  const listed = async () => ({ params: { listingId: await writtenListing(world) } });

  test('the limit survives a restart and a clock change and ends after ten minutes', async () => {
    const input = await listed();
    for (const autoDelistOnSale of [true, false]) {
      const { approvalId } = await ask('publishListing', { ...input, body: { autoDelistOnSale } });
      minutes(1);
      approvals().withdraw(approvalId);
    }
    await isTooMuch('publishListing', input);
    world.clock.jumpWall(-3 * 365 * 24 * 60 * 60_000);
    await isTooMuch('publishListing', input);
    await world.stop();
    await world.begin();
    await isTooMuch('publishListing', input);
    world.clock.advance(10 * 60_000 - 1);
    await isTooMuch('publishListing', input);
    world.clock.advance(1);
    await ask('publishListing', input);
  });

  test('each change of a prompt resets the time at which the prompt was shown', async () => {
    const input = await listed();
    await ask('publishListing', input);
    for (const autoDelistOnSale of [true, false]) {
      world.clock.advance(5_000);
      const changed = await ask('publishListing', { ...input, body: { autoDelistOnSale } });
      expect(changed.shownAt).toBe(world.clock.now());
    }
  });

  test('a changed request after a restart supersedes the pending prompt', async () => {
    const input = await listed();
    const first = await ask('publishListing', input);
    await world.stop();
    await world.begin();
    const second = await ask('publishListing', { ...input, body: { autoDelistOnSale: true } });
    expect(approvals().readView(first.approvalId).supersededBy).toBe(second.approvalId);
    expect(waiting()).toHaveLength(1);
  });
});

test('a request that differs only in an irrelevant field leads to no second prompt', async () => {
  const listingId = await writtenListing(world);
  const edit = (marketplaceId: string) => ({
    params: { listingId },
    body: { bestOffer: { enabled: true, autoAcceptCents: 500 }, marketplaceId },
  });
  await ask('updateListing', edit('MKT_US'));
  await performAs(world, by, 'updateListing', edit('MKT_GB')).catch(() => undefined);
  await performAs(world, by, 'updateListing', edit('MKT_DE')).catch(() => undefined);
  expect(waiting()).toHaveLength(1);
});
