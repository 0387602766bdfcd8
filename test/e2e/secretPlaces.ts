import { lstatSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright/test';
import * as z from 'zod';

const heap = z.object({ strings: z.array(z.string()) });

/** Every file under a folder, whatever is in it. */
const filesUnder = (folder: string): string[] =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .map((name) => join(folder, name))
    .filter((path) => lstatSync(path).isFile());

/** The bytes of every file under a folder, by its path. */
export const textsUnder = (folder: string): [place: string, text: string][] =>
  filesUnder(folder).map((path) => [path, readFileSync(path, 'latin1')]);

/** All texts that the window remembers, as its own debugger sees them. */
export const memoryOf = async (page: Page): Promise<string> => {
  const session = await page.context().newCDPSession(page);
  let text = '';
  session.on('HeapProfiler.addHeapSnapshotChunk', ({ chunk }) => void (text += chunk));
  await session.send('HeapProfiler.collectGarbage');
  await session.send('HeapProfiler.takeHeapSnapshot', { reportProgress: false });
  await session.detach();
  // The rest are numbers, among which any six digits are met by chance.
  return heap.parse(JSON.parse(text)).strings.join('\n');
};

/** What the companion answers a call of the window. */
export const saidIn = (page: Page, name: string, input: unknown): Promise<string> =>
  page.evaluate(
    async ([call, given]) => {
      const { companion } = window as unknown as { companion: { call: (name: string, input: unknown) => unknown } };
      return JSON.stringify(await companion.call(call, given));
    },
    [name, input] as const,
  );

/** The places that have one of the secrets, as "the NAME in PLACE". */
export const secretsIn = (
  places: Iterable<readonly [place: string, text: string]>,
  secrets: Readonly<Record<string, string>>,
): string[] =>
  [...places].flatMap(([place, text]) =>
    Object.entries(secrets).flatMap(([name, secret]) => (text.includes(secret) ? [`the ${name} in ${place}`] : [])),
  );
