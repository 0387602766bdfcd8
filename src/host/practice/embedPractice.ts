import { createAssistantApi } from '../../bridge/assistantApi.ts';
import { Problem, problemView } from '../../core/base/problem.ts';
import type { Companion } from '../../core/companion/createCompanion.ts';
import type { StartProcess } from '../../isolated/processClient.ts';
import { chooseWriter } from '../../practice/writer/chooseWriter.ts';
import type { Writer } from '../../practice/writer/writer.ts';
import type { HostLog } from '../createLog.ts';
import { startPracticeAssistant, type PracticeTexts } from './practiceAssistant.ts';
import { createPracticePeople, isLeft } from './practicePeople.ts';
import type { Log } from '../../core/base/ports.ts';
import { openPractice, type Practice } from '../../practice/startPractice.ts';
import type { Inside } from './practiceDoor.ts';

/** What the writer of the practice service needs of the host. */
type WriterParts = { startReader: StartProcess; log: HostLog };
type PracticeParts = WriterParts & { texts: PracticeTexts };

/** Opens the practice service inside this process, behind a port of its host, with its state below a folder. */
export const embedPractice = async (dataDir: string, port: number, host: PracticeParts): Promise<Inside> => {
  const { log } = host.log;
  const writer = await openWriter(host);
  const practice = await openPractice({ dataDir, writer }, () => port).catch(async (error: unknown) => {
    await writer.close();
    throw error;
  });
  practice.resume();
  return {
    serve: practice.serve,
    person: createPracticePeople(practice, async () => (await host.texts).format('shell.practiceAssistant')),
    around: (companion, bridgeUrl) => {
      const api = createAssistantApi(companion, () => bridgeUrl);
      return [
        // It uses the companion as every other assistant does.
        { name: 'practice assistant', stop: startPracticeAssistant({ companion, api, texts: host.texts, log }) },
        { name: 'practice shops', stop: removeLeftShops({ companion, practice, log }) },
      ];
    },
    close: async () => {
      await practice.close();
      await writer.close();
    },
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

type LeftShopsContext = {
  companion: Pick<Companion, 'state' | 'onChanged'>;
  practice: Pick<Practice, 'addresses' | 'remove'>;
  log: Log;
};

/**
 * Removes practice shops that nobody comes back to, as there is a newer one of their kind: once the companion is connected
 * as somebody else, and at a start what was left before. Answers how it is stopped.
 */
export const removeLeftShops = ({ companion, practice, log }: LeftShopsContext): (() => Promise<void>) => {
  let last = Promise.resolve();
  let seen: string | null | undefined;

  const removeLeft = async (): Promise<void> => {
    const addresses = practice.addresses();
    for (const email of addresses) if (isLeft(email, addresses) && email !== connected()) await practice.remove(email);
  };
  const connected = (): string | null => companion.state(null).person?.email ?? null;
  const look = (): void => {
    const email = connected();
    if (email === seen) return;
    seen = email;
    last = last.then(removeLeft).catch((error: unknown) => {
      log('warn', 'a practice shop that was left is still there', { code: problemView(error).code });
    });
  };
  const stopListening = companion.onChanged((topic) => {
    if (topic === 'app') look();
  });
  look();
  return async () => {
    stopListening();
    await last;
  };
};
