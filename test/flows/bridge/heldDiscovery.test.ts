import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { startBridge, type Bridge } from '../../../src/bridge/startBridge.ts';
import { createFailingDisk, createHeldDisk, createSystemError } from '../../helpers/createFailingDisk.ts';
import { waitUntil } from '../../helpers/testClock.ts';
import { startWorld, type World } from '../../helpers/world.ts';

let world: World;
let bridge: Bridge;
afterEach(() => world.close());

const getDiscoveryPath = (): string => join(world.dataDir, 'bridge.json');
const startOnDisk = (disk: ReturnType<typeof createFailingDisk>) =>
  startBridge({ companion: world.companion(), dataDir: world.dataDir, port: 0, version: '0.0.0', disk });

test('the bridge starts even while another program locks bridge.json', async () => {
  world = await startWorld();
  writeFileSync(getDiscoveryPath(), 'of the last run');
  let isHeld = true;
  const disk = createFailingDisk((call, path) =>
    isHeld && call === 'rename' && path === getDiscoveryPath() ? createSystemError('EBUSY') : null,
  );
  const pause = Promise.withResolvers<void>();
  const wait = disk.wait;
  disk.wait = async (ms, signal) => {
    await (ms === 1_000 ? pause.promise : wait(ms, signal));
  };
  bridge = await startOnDisk(disk);
  expect((await fetch(`${bridge.url}/health`)).status).toBe(200);
  expect(readFileSync(getDiscoveryPath(), 'utf8')).toBe('of the last run');
  isHeld = false;
  pause.resolve();
  await waitUntil(() => readFileSync(getDiscoveryPath(), 'utf8').includes(bridge.url), 'bridge.json to be written');
  await bridge.stop();
  expect(existsSync(getDiscoveryPath())).toBe(false);
});

test('bridge.json is written and removed even if a virus scanner blocks the first attempts', async () => {
  world = await startWorld();
  bridge = await startOnDisk(createHeldDisk(6, 'EACCES'));
  expect(JSON.parse(readFileSync(getDiscoveryPath(), 'utf8'))).toMatchObject({ url: bridge.url });
  await bridge.stop();
  expect(existsSync(getDiscoveryPath())).toBe(false);
});
