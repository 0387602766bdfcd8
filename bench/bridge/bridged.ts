// Runs a companion with paired assistants (by default one) against the service at the given URL. Prints the bridge URL
// and the tokens.
import { startDataThread } from '../../src/host/dataThread/startDataThread.ts';
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startBridge } from '../../src/bridge/startBridge.ts';
import { createCompanion } from '../../src/core/companion/createCompanion.ts';
import { systemClock } from '../../src/core/base/clock.ts';
import { createMemorySecrets } from '../../test/helpers/hosts/createMemorySecrets.ts';
import { answerUsage } from './startProcess.ts';
import { startKitchen } from '../../test/helpers/photos/startKitchen.ts';

const dataDir = await mkdtemp(join(tmpdir(), 'bench-bridge-'));
const companion = await createCompanion(
  {
    dataDir,
    version: '0.0.0',
    service: { kind: 'practice', url: process.argv[2] ?? '' },
    startPhotoProcess: startKitchen,
    startDataThread,
    // The companion masks its key in answers, so no answer may contain the text of this key.
    practicePerson: async () => ({ userId: 'bench', email: 'bench@example.com', agentKey: 'key-of-the-person' }),
  },
  {
    clock: systemClock,
    random: Math.random,
    secrets: createMemorySecrets(),
    notify: () => undefined,
    log: () => undefined,
  },
);
await companion.connect.practice();
const bridge = await startBridge({ companion, dataDir, port: 0, version: '0.0.0' });
const pairAssistant = (name: string): string => {
  const { pairingId, pairingSecret } = companion.assistants.requestPairing(name);
  companion.assistants.accept(pairingId);
  return companion.assistants.poll(pairingId, pairingSecret).token ?? '';
};
const tokens = Array.from({ length: Number(process.argv[3] ?? 1) }, (_, at) => pairAssistant(`Bench ${at}`));
console.log([bridge.url, ...tokens].join(' '));
answerUsage();
process.once('SIGINT', () => process.exit(0));
