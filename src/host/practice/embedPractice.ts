import { createAssistantApi } from '../../bridge/assistantApi.ts';
import { Problem, toProblemView } from '../../core/base/problem.ts';
import type { Companion } from '../../core/companion/createCompanion.ts';
import type { StartProcess } from '../../isolated/processClient.ts';
import { createWriterFromSettings } from '../../practice/writer/chooseWriter.ts';
import type { Writer } from '../../practice/writer/writer.ts';
import type { HostLog } from '../createLog.ts';
import { startPracticeAssistant, type PracticeTexts } from './practiceAssistant.ts';
import { createPracticePersonProvider, isStaleShop } from './practicePeople.ts';
import type { Log } from '../../core/base/ports.ts';
import { openPracticeService, type RunningPractice } from '../../practice/startPractice.ts';
import type { EmbeddedPractice } from './practiceListener.ts';

type WriterParts = { startReader: StartProcess; log: HostLog };
type PracticeParts = WriterParts & { texts: PracticeTexts };

export const embedPractice = async (dataDir: string, port: number, host: PracticeParts): Promise<EmbeddedPractice> => {
  const { log } = host.log;
  const writer = await openChosenWriter(host);
  const practice = await openPracticeService({ dataDir, writer }, () => port).catch(async (error: unknown) => {
    await writer.close();
    throw error;
  });
  practice.resumeWriting();
  return {
    serve: practice.serve,
    load: practice.load,
    person: createPracticePersonProvider(practice, async () => (await host.texts).format('shell.practiceAssistant')),
    createBackgroundParts: (companion, bridgeUrl) => {
      const api = createAssistantApi(companion, () => bridgeUrl);
      return [
        { name: 'practice assistant', stop: startPracticeAssistant({ companion, api, texts: host.texts, log }) },
        { name: 'practice shops', stop: startStaleShopRemoval({ companion, practice, log }) },
      ];
    },
    close: async () => {
      await practice.close();
      await writer.close();
    },
  };
};

/** Throws `WRITER_SETTINGS` if the environment has an invalid setting. */
const openChosenWriter = async ({ startReader, log: { log } }: WriterParts): Promise<Writer> => {
  try {
    return await createWriterFromSettings({ startReader, log, env: process.env });
  } catch (error) {
    throw new Problem('WRITER_SETTINGS', error instanceof Error ? error.message : 'The writer cannot be used.', {
      cause: error,
    });
  }
};

type StaleShopsContext = {
  companion: Pick<Companion, 'state' | 'onChanged'>;
  practice: Pick<RunningPractice, 'addresses' | 'remove'>;
  log: Log;
};

/** Removes practice shops that a newer shop replaces, now and whenever the connected account changes. */
export const startStaleShopRemoval = ({ companion, practice, log }: StaleShopsContext): (() => Promise<void>) => {
  let last = Promise.resolve();
  let seen: string | null | undefined;

  const removeStaleShops = async (): Promise<void> => {
    const addresses = practice.addresses();
    for (const email of addresses)
      if (isStaleShop(email, addresses) && email !== getConnectedEmail()) await practice.remove(email);
  };
  const getConnectedEmail = (): string | null => companion.state(null).person?.email ?? null;
  const checkForStaleShops = (): void => {
    const email = getConnectedEmail();
    if (email === seen) return;
    seen = email;
    last = last.then(removeStaleShops).catch((error: unknown) => {
      log('warn', 'stale practice shop not removed', { code: toProblemView(error).code });
    });
  };
  const stopListening = companion.onChanged((topic) => {
    if (topic === 'app') checkForStaleShops();
  });
  checkForStaleShops();
  return async () => {
    stopListening();
    await last;
  };
};
