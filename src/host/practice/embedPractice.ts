import { join } from 'node:path';
import { createAssistantApi } from '../../bridge/assistantApi.ts';
import { Problem, problemView } from '../../core/base/problem.ts';
import type { Part } from '../../core/base/stopParts.ts';
import type { Companion } from '../../core/companion/createCompanion.ts';
import type { StartProcess } from '../../isolated/processClient.ts';
import { chooseWriter } from '../../practice/writer/chooseWriter.ts';
import type { Writer } from '../../practice/writer/writer.ts';
import type { HostLog } from '../createLog.ts';
import { startPracticeAssistant, type PracticeTexts } from './practiceAssistant.ts';
import { createPracticePeople, isLeft } from './practicePeople.ts';
import type { Log } from '../../core/base/ports.ts';
import { startPractice, type Practice, type PracticeConfig } from '../../practice/startPractice.ts';
import { readFileSync } from 'node:fs';
import { rename, writeFile } from 'node:fs/promises';
import { systemCodeOf } from '../../loopback/http.ts';

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

/** The port of the last run; undefined where nothing that could be one is kept. */
const lastPort = (file: string): number | undefined => {
  try {
    const text = readFileSync(file, 'utf8');
    return /^[1-9]\d{0,4}$/.test(text) && Number(text) <= 65_535 ? Number(text) : undefined;
  } catch {
    return undefined;
  }
};

const isTaken = (error: unknown): boolean => ['EADDRINUSE', 'EACCES'].includes(systemCodeOf(error) ?? '');

/**
 * Starts the practice service on the port of its last run, or on a free one where another program has that now. Live pages
 * and photos have their addresses there, and a question that waits over a restart is bound to the listing with them.
 */
export const startOnLastPort = async (config: PracticeConfig): Promise<Practice> => {
  const file = join(config.dataDir, 'port');
  const port = lastPort(file);
  const practice = await startPractice({ ...config, ...(port === undefined ? {} : { port }) }).catch(
    (error: unknown) => {
      if (port === undefined || !isTaken(error)) throw error;
      return startPractice(config);
    },
  );
  const now = new URL(practice.url).port;
  if (now !== String(port)) await keep(file, now);
  return practice;
};

const keep = async (file: string, text: string): Promise<void> => {
  await writeFile(`${file}.part`, text);
  await rename(`${file}.part`, file);
};
