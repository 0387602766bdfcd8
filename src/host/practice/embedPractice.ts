import { join } from 'node:path';
import { createAssistantApi } from '../../bridge/assistantApi.ts';
import { Problem } from '../../core/base/problem.ts';
import type { Part } from '../../core/base/stopParts.ts';
import type { Companion } from '../../core/companion/createCompanion.ts';
import type { StartProcess } from '../../isolated/processClient.ts';
import { chooseWriter } from '../../practice/writer/chooseWriter.ts';
import type { Writer } from '../../practice/writer/writer.ts';
import type { HostLog } from '../createLog.ts';
import { startPracticeAssistant, type PracticeTexts } from './practiceAssistant.ts';
import { removeLeftShops } from './leftShops.ts';
import { createPracticePeople } from './practicePeople.ts';
import { startOnLastPort } from './practicePort.ts';

/** What the writer of the practice service needs of the host. */
type WriterParts = { startReader: StartProcess; log: HostLog };
type PracticeParts = WriterParts & { texts: PracticeTexts };

/** Starts the practice service inside this process, on the port that it had before, with its state below the data folder. */
export const embedPractice = async (dataDir: string, host: PracticeParts) => {
  const writer = await openWriter(host);
  const practice = await startOnLastPort({ dataDir: join(dataDir, 'practice'), writer });
  return {
    url: practice.url,
    person: createPracticePeople(practice, async () => (await host.texts).format('shell.practiceAssistant')),
    /** The assistant that comes with a shop; it uses the companion as every other one does. */
    assistant: (companion: Companion, bridgeUrl: string): Part => {
      const api = createAssistantApi(companion, () => bridgeUrl);
      const stop = startPracticeAssistant({ companion, api, texts: host.texts, log: host.log.log });
      return { name: 'practice assistant', stop };
    },
    /** Who removes shops that were left. */
    shops: (companion: Companion): Part => ({
      name: 'practice shops',
      stop: removeLeftShops({ companion, practice, log: host.log.log }),
    }),
    parts: [
      { name: 'practice service', stop: practice.close },
      { name: 'writer of the practice service', stop: () => writer.close() },
    ],
  };
};

/** The writer that the environment asks for; a setting that cannot be used ends the start with its sentence. */
const openWriter = async ({ startReader, log: { log } }: WriterParts): Promise<Writer> => {
  try {
    return await chooseWriter({ startReader, log, env: process.env });
  } catch (error) {
    throw new Problem('WRITER_SETTINGS', error instanceof Error ? error.message : 'The writer cannot be used.', {
      cause: error,
    });
  }
};
