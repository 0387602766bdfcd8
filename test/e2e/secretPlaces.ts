import { lstatSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright/test';
import * as z from 'zod';
import { callInWindow } from './practiceControl.ts';

const heap = z.object({ strings: z.array(z.string()) });

const listFiles = (folder: string): string[] =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .map((name) => join(folder, name))
    .filter((path) => lstatSync(path).isFile());

/** Returns the content of every file in a folder, by path. */
export const readFilesIn = (folder: string): [place: string, text: string][] =>
  listFiles(folder).map((path) => [path, readFileSync(path, 'latin1')]);

/** Returns all strings in the window's heap. */
export const readHeapStrings = async (page: Page): Promise<string> => {
  const session = await page.context().newCDPSession(page);
  let text = '';
  session.on('HeapProfiler.addHeapSnapshotChunk', ({ chunk }) => void (text += chunk));
  await session.send('HeapProfiler.collectGarbage');
  await session.send('HeapProfiler.takeHeapSnapshot', { reportProgress: false });
  await session.detach();
  // The other parts of the snapshot are numbers, which contain any six digits by chance.
  return heap.parse(JSON.parse(text)).strings.join('\n');
};

/** Returns the companion's reply to a call of the window, as text. */
export const callAsText = async (page: Page, name: string, input: unknown): Promise<string> =>
  JSON.stringify(await callInWindow(page, name, input));

const offered = z.object({ value: z.object({ url: z.string() }) });

/** Runs an export and returns its whole file. */
export const readExportAsText = async (page: Page, name: string, input: unknown): Promise<string> => {
  const { url } = offered.parse(JSON.parse(await callAsText(page, name, input))).value;
  return page.evaluate(async (path) => {
    const { companion } = window as unknown as { companion: { base: string } };
    return (await fetch(companion.base + path)).text();
  }, url);
};

/** Returns where a secret was found, as "the NAME in PLACE". */
export const findSecrets = (
  places: Iterable<readonly [place: string, text: string]>,
  secrets: Readonly<Record<string, string>>,
): string[] =>
  [...places].flatMap(([place, text]) =>
    Object.entries(secrets).flatMap(([name, secret]) => (text.includes(secret) ? [`the ${name} in ${place}`] : [])),
  );
