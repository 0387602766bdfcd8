// A companion with its bridge in a separate process, for tests of its memory. Prints its address, and for each input
// line the maximum and current memory in bytes.
import { startDataThread } from '../../../src/host/dataThread/startDataThread.ts';
import { createInterface } from 'node:readline';
import { startBridge } from '../../../src/bridge/startBridge.ts';
import { createCompanion } from '../../../src/core/companion/createCompanion.ts';
import { systemClock } from '../../../src/core/base/clock.ts';
import { createMemorySecrets } from '../hosts/createMemorySecrets.ts';
import { startKitchen } from '../photos/startKitchen.ts';

const dataDir = process.argv[2] ?? '';
const say = (fact: unknown): void => void process.stdout.write(`${JSON.stringify(fact)}\n`);

const companion = await createCompanion(
  {
    dataDir,
    version: '0.0.0',
    service: { kind: 'practice', url: 'http://127.0.0.1:1' },
    startPhotoProcess: startKitchen,
    startDataThread,
    practicePerson: null,
  },
  {
    clock: systemClock,
    secrets: createMemorySecrets(),
    notify: () => undefined,
    random: Math.random,
    log: () => undefined,
  },
);
await companion.start();
const bridge = await startBridge({ companion, dataDir, port: 0, version: '0.0.0' });

let most = 0;
const look = (): number => {
  const rss = process.memoryUsage.rss();
  most = Math.max(most, rss);
  return rss;
};
setInterval(look, 20).unref();
say({ url: bridge.url });
createInterface({ input: process.stdin })
  .on('line', () => say({ now: look(), most }))
  .on('close', () => process.exit(0));
