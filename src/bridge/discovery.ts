import { constants } from 'node:fs';
import { mkdir, open, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as z from 'zod';
import { isLaterProcess, readStartTicks } from './processStart.ts';

const fileOf = (dataDir: string): string => join(dataDir, 'bridge.json');

const loopbackAddress = /^http:\/\/127\.0\.0\.1:([1-9]\d{0,4})$/;

const portIn = (url: string): number => Number(loopbackAddress.exec(url)?.[1]);

const discovery = z
  .object({
    url: z.string().regex(loopbackAddress),
    mcpUrl: z.string(),
    pid: z.int().positive(),
    version: z.string().regex(/^[\w.+-]{1,40}$/),
    startedAt: z.iso.datetime(),
    startTicks: z.string().nullable(),
  })
  .refine(({ url, mcpUrl }) => mcpUrl === `${url}/mcp` && portIn(url) <= 65_535);

/** Where assistants find the bridge, and which process it is. The file holds no token. */
export type Discovery = z.infer<typeof discovery>;

/** Writes the discovery file, readable by this user only, whole or not at all. */
export const writeDiscovery = async (dataDir: string, where: Pick<Discovery, 'url' | 'version'>): Promise<void> => {
  const { url, version } = where;
  const started = { startedAt: new Date().toISOString(), startTicks: await readStartTicks(process.pid) };
  const written: Discovery = { url, mcpUrl: `${url}/mcp`, pid: process.pid, version, ...started };
  await mkdir(dataDir, { recursive: true, mode: 0o700 });
  const partial = `${fileOf(dataDir)}.${process.pid}.part`;
  await writeFile(partial, `${JSON.stringify(written, null, 2)}\n`, { mode: 0o600 });
  await rename(partial, fileOf(dataDir));
};

/** Removes the discovery file; it is no error where there is none. */
export const removeDiscovery = (dataDir: string): Promise<void> => rm(fileOf(dataDir), { force: true });

/** Another user's process of this number is not the companion either. */
const isAlive = (pid: number): boolean => {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
};

const maxBytes = 4_096;

/** The text of the discovery file: of a small file of this user, and never of what a link or a pipe leads to. */
const readOwnText = async (file: string): Promise<string> => {
  const { O_RDONLY, O_NOFOLLOW = 0, O_NONBLOCK = 0 } = constants;
  const handle = await open(file, O_RDONLY | O_NOFOLLOW | O_NONBLOCK);
  try {
    const stat = await handle.stat();
    const isOwn = process.getuid === undefined || stat.uid === process.getuid();
    if (!stat.isFile() || !isOwn || stat.size > maxBytes) throw new Error(`${file} is not the companion's own file.`);
    return await handle.readFile('utf8');
  } finally {
    await handle.close();
  }
};

/**
 * Where the companion of a data folder says that it listens; null where that companion is gone. Who listens there now is
 * not known by this: nothing secret is sent before they have proven themselves. Throws where the file cannot be read.
 */
export const readDiscovery = async (dataDir: string): Promise<(Discovery & { port: number }) | null> => {
  const { data } = discovery.safeParse(JSON.parse(await readOwnText(fileOf(dataDir))));
  if (data === undefined || !isAlive(data.pid) || (await isLaterProcess(data.pid, data))) return null;
  return { ...data, port: portIn(data.url) };
};
