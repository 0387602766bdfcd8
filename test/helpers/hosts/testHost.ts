import { createHostTranslator } from '../../../src/host/hostTranslator.ts';
import { parseHostOptions } from '../../../src/host/options.ts';
import { runCompanion, type HostParts, type RunningCompanion } from '../../../src/host/runCompanion.ts';
import { startKitchen } from '../photos/startKitchen.ts';
import { startReader } from '../practice/startReader.ts';
import { createMemorySecrets } from './createMemorySecrets.ts';
import { testFlags } from './startHeadless.ts';
import { createStartReport } from '../../../src/host/startReport.ts';

/** Starts everything behind the windows in this process, without a window; `parts` replaces parts of the host. */
export const runTestHost = async (dataDir: string, parts: Partial<HostParts> = {}): Promise<RunningCompanion> => {
  const parsed = parseHostOptions(testFlags(dataDir));
  if (!parsed.ok) throw new Error(parsed.sentence);
  return runCompanion(parsed.options, {
    secrets: createMemorySecrets(),
    forgetSecrets: async () => undefined,
    quit: () => undefined,
    notify: () => undefined,
    openLink: async () => undefined,
    startKitchen,
    startReader,
    resourcesDir: '',
    start: { program: process.execPath, args: [] },
    startReport: createStartReport(() => undefined),
    bundleFile: '',
    version: '0.0.0',
    texts: Promise.resolve(createHostTranslator(['en'])),
    log: { log: () => undefined, dir: '', newest: async () => [], close: async () => undefined },
    ...parts,
  });
};
