// A companion in its own process that uses a malicious service: performs acts of an assistant and of the person, and
// prints errors and memory use as JSON lines.
import { startDataThread } from '../../../src/host/dataThread/startDataThread.ts';
import { setTimeout as wait } from 'node:timers/promises';
import * as z from 'zod';
import { startBridge } from '../../../src/bridge/startBridge.ts';
import { createCompanion } from '../../../src/core/companion/createCompanion.ts';
import { toProblemView } from '../../../src/core/base/problem.ts';
import { createHandlers } from '../../../src/host/handlers.ts';
import { noShell } from '../../../src/host/shell.ts';
import { createCallServer } from '../../../src/ipc/serveCalls.ts';
import { createMemorySecrets } from '../../helpers/hosts/createMemorySecrets.ts';
import { createPracticePerson } from '../../helpers/createPracticePerson.ts';
import { createRandom } from '../../helpers/createRandom.ts';
import { startKitchen } from '../../helpers/photos/startKitchen.ts';
import { createActs } from './acts.ts';
import { diceFrom } from './spoil.ts';
import { createStartReport } from '../../../src/host/startReport.ts';

const args = z
  .object({
    dataDir: z.string(),
    practiceUrl: z.string(),
    serviceUrl: z.string(),
    photos: z.string(),
    seed: z.int(),
    acts: z.int(),
  })
  .parse(JSON.parse(process.argv[2] ?? ''));

const printFact = (fact: unknown): void => void process.stdout.write(`${JSON.stringify(fact)}\n`);
process.on('unhandledRejection', (error) =>
  printFact({ wrong: `unhandled rejection: ${error instanceof Error ? error.stack : String(error)}` }),
);

/** Added to the clock: a day passes now and then, so that waits requested by the service end. */
let addedMs = 0;
const clock = {
  now: () => Date.now() + addedMs,
  elapsedMs: () => performance.now() + addedMs,
  sleep: async (ms: number, signal?: AbortSignal) => void (await wait(ms / 200, undefined, signal ? { signal } : {})),
};
const keys = new Set<string>();
const companion = await createCompanion(
  {
    dataDir: args.dataDir,
    version: '0.0.0',
    service: { kind: 'practice', url: args.serviceUrl },
    startPhotoProcess: startKitchen,
    startDataThread,
    practicePerson: async () => {
      const made = await createPracticePerson(args.practiceUrl, 'malice@practice.example');
      keys.add(made.agentKey);
      return made;
    },
  },
  { clock, secrets: createMemorySecrets(), notify: () => undefined, random: Math.random, log: () => undefined },
);
await companion.start();
await companion.connect.practice();
const bridge = await startBridge({ companion, dataDir: args.dataDir, port: 0, version: '0.0.0' });
const handlers = createHandlers(companion, {
  shell: noShell,
  startReport: createStartReport(() => undefined),
  log: { log: () => undefined, dir: args.dataDir, newest: async () => [], close: async () => undefined },
  bridgeUrl: () => bridge.url,
  openLink: async () => undefined,
  samplesDir: args.photos,
  ...{ clients: {} as never, labels: {} as never },
  forgetEverything: () => undefined,
});

const { pairingId, pairingSecret } = companion.assistants.requestPairing('Tidy Helper');
companion.assistants.accept(pairingId);
const token = companion.assistants.poll(pairingId, pairingSecret).token ?? '';
const [assistant] = companion.assistants.list().assistants;
companion.assistants.change(assistant?.assistantId ?? '', {
  scope: 'ask',
  touches: 'all',
  folders: [args.photos],
  moneyCentsPerDay: null,
  publishesPerDay: null,
});

const serve = createCallServer({ handlers, requireProof: () => undefined, problemView: toProblemView });
const windowSession = companion.approvals.windowSessions.open('window');

const acts = createActs({
  dice: diceFrom(createRandom(args.seed)),
  bridgeUrl: bridge.url,
  token,
  photos: args.photos,
  call: (name, input) => serve(name, input, { windowSession }),
  passTime: (ms) => void (addedMs += ms),
  wrong: (what) => printFact({ wrong: what }),
  isSecret: (text) => text.includes(token) || [...keys].some((key) => text.includes(key)),
});

let maxRss = 0;
let done = 0;
const performActs = async (): Promise<void> => {
  while (done < args.acts) {
    done += 1;
    if (done % 100 === 0) {
      addedMs += 24 * 3_600_000;
      maxRss = Math.max(maxRss, process.memoryUsage.rss());
      if (companion.state(null).connection !== 'connected') await companion.connect.practice().catch(() => undefined);
    }
    if (done % 1_000 === 0) printFact({ done, rss: process.memoryUsage.rss(), heap: process.memoryUsage().heapUsed });
    await acts();
  }
};
await Promise.all(Array.from({ length: 8 }, performActs));
globalThis.gc?.();
const { heapUsed, external } = process.memoryUsage();
printFact({ done, rss: maxRss, heap: heapUsed + external, statuses: acts.statuses });
await bridge.stop();
await companion.stop();
process.exit(0);
