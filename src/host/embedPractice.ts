import { join } from 'node:path';
import { startPractice } from '../practice/startPractice.ts';
import { Problem } from '../core/base/problem.ts';
import { chooseWriter } from '../practice/writer/chooseWriter.ts';
import type { Writer } from '../practice/writer/writer.ts';

/** Who practises: one person with a plan that is large enough to try everything. */
const practicePerson = { email: 'you@practice.example', plan: 'Starter', connected: true, site: 'MKT_US' };

/** Starts the practice service inside this process, on a free port, with its state below the data folder. */
export const embedPractice = async (dataDir: string, writerWorkerUrl: URL) => {
  const writer = await openWriter(writerWorkerUrl);
  const practice = await startPractice({ dataDir: join(dataDir, 'practice'), writer });
  return {
    url: practice.url,
    /** The practice person, or a new key for the one who is there. */
    person: async () => ({ ...practice.person(practicePerson), email: practicePerson.email }),
    parts: [
      { name: 'practice service', stop: practice.close },
      { name: 'writer of the practice service', stop: () => writer.close() },
    ],
  };
};

/** The writer that the environment asks for; a setting that cannot be used ends the start with its sentence. */
const openWriter = async (workerUrl: URL): Promise<Writer> => {
  try {
    return await chooseWriter({ workerUrl, env: process.env });
  } catch (error) {
    throw new Problem('WRITER_SETTINGS', error instanceof Error ? error.message : 'The writer cannot be used.', {
      cause: error,
    });
  }
};
