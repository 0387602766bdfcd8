import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import * as z from 'zod';
import { allItems } from '../../../helpers/allItems.ts';
import { pair, type Paired } from '../../../helpers/bridge/scene.ts';
import { settled } from '../../../helpers/testClock.ts';
import { startWorld, type World } from '../../../helpers/world.ts';
import { connect, type McpClient } from './clients.ts';

let world: World;
let bridge: Awaited<ReturnType<World['bridge']>>;
let helper: Paired;
let client: McpClient;
let folder: string;

beforeEach(async () => {
  world = await startWorld();
  bridge = await world.bridge();
  helper = await pair(world, bridge.url, 'Tidy Helper');
  folder = await world.folder('desk lamp');
  world.companion().assistants.change(helper.assistantId, { folders: [folder] });
  client = await connect(bridge.url, helper.token);
});
afterEach(async () => {
  await client.close();
  await bridge.stop();
  await world.close();
});

const leaves: [string, () => void][] = [
  ['is paused', () => world.companion().assistants.pause(helper.assistantId)],
  ['is revoked', () => world.companion().assistants.revoke(helper.assistantId)],
];

describe.each(leaves)('an assistant that %s', (_how, leave) => {
  test('is told no more of the item that it waits for', async () => {
    world.companion().pauseAll(true);
    const made = await client.call('create_listing_from_photos', { folder, waitS: 0 });
    const itemId = z.string().parse(made.data['itemId']);
    const wait = client.call('check_request', { itemId, waitS: 44 });
    await settled(() => world.clock.sleepsFor(44_000), 'the wait');
    leave();
    world.companion().pauseAll(false);
    const told = await wait;
    expect(told).toMatchObject({ isError: true, data: { code: 'ASSISTANT_PAUSED' } });
    expect(JSON.stringify(told)).not.toContain(itemId);
  });

  test('makes no further item of the folders that it named', async () => {
    const folders = [folder];
    for (let index = 1; index < 6; index += 1) folders.push(await world.folder(`thing ${index}`));
    world.companion().assistants.change(helper.assistantId, { folders });
    world.companion().pauseAll(true);
    const stop = world.companion().onChanged((topic) => {
      if (topic !== 'items' || allItems(world.companion()).length === 0) return;
      stop();
      leave();
    });
    const answer = await client.call('create_listing_from_photos', { folders, waitS: 0 });
    expect(answer.data).toMatchObject({ items: [], next: null });
    expect(JSON.stringify(answer.data['notTaken'])).toContain('ASSISTANT_PAUSED');
    expect(allItems(world.companion())).toHaveLength(1);
  });
});
