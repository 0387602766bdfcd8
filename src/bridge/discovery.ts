import { systemClock } from '../core/base/clock.ts';
import { constants } from 'node:fs';
import { mkdir, open } from 'node:fs/promises';
import { join } from 'node:path';
import * as z from 'zod';
import type { Log } from '../core/base/ports.ts';
import { removeFile } from '../disk/changeFiles.ts';
import { systemDisk, type Disk } from '../disk/disk.ts';
import { writeWhole } from '../disk/writeWhole.ts';
import { isProcessGone, readStartTicks } from './processStart.ts';

const getDiscoveryPath = (dataDir: string): string => join(dataDir, 'bridge.json');

const loopbackAddress = /^http:\/\/127\.0\.0\.1:([1-9]\d{0,4})$/;

const parseLoopbackPort = (url: string): number => Number(loopbackAddress.exec(url)?.[1]);

const discoverySchema = z
  .object({
    url: z.string().regex(loopbackAddress),
    mcpUrl: z.string(),
    pid: z.int().positive(),
    version: z.string().regex(/^[\w.+-]{1,40}$/),
    startedAt: z.iso.datetime(),
    startTicks: z.string().nullable().default(null),
  })
  .refine(({ url, mcpUrl }) => mcpUrl === `${url}/mcp` && parseLoopbackPort(url) <= 65_535);

/** Assistants find the bridge with this file. It contains no token. */
export type Discovery = z.infer<typeof discoverySchema>;

const retryWriteMs = 1_000;

type KeepOptions = { log?: Log | undefined; disk?: Disk | undefined };

/**
 * Writes the discovery file atomically, readable only by this user. If the write fails, for example because the disk is
 * full, the bridge starts anyway and the write is retried. Returns a function that removes the file.
 */
export const publishDiscoveryFile = async (
  dataDir: string,
  { url, version }: Pick<Discovery, 'url' | 'version'>,
  { log, disk = systemDisk }: KeepOptions = {},
): Promise<() => Promise<void>> => {
  const started = {
    startedAt: new Date(systemClock.now()).toISOString(),
    startTicks: await readStartTicks(process.pid),
  };
  const content: Discovery = { url, mcpUrl: `${url}/mcp`, pid: process.pid, version, ...started };
  const stopped = new AbortController();
  const writeDiscoveryFile = async (): Promise<boolean> => {
    try {
      await mkdir(dataDir, { recursive: true, mode: 0o700 });
      await writeWhole(getDiscoveryPath(dataDir), `${JSON.stringify(content, null, 2)}\n`, { mode: 0o600, disk });
      return true;
    } catch {
      return false;
    }
  };
  const retryWritingFile = async (): Promise<void> => {
    do await disk.wait(retryWriteMs, stopped.signal);
    while (!(await writeDiscoveryFile()));
  };
  const isWritten = await writeDiscoveryFile();
  if (!isWritten) log?.('warn', 'bridge.json not written yet: assistants cannot find the bridge');
  const writing = isWritten ? Promise.resolve() : retryWritingFile().catch(() => undefined);
  return async () => {
    stopped.abort();
    await writing;
    await removeFile(getDiscoveryPath(dataDir), disk);
  };
};

/** `EPERM` means that another user owns the process, so the process is not the companion. */
const isProcessAlive = (pid: number): boolean => {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
};

const maxBytes = 4_096;

/** Refuses symbolic links, pipes, large files and files of other users. */
const readOwnFileText = async (file: string): Promise<string> => {
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
 * Returns the address in the discovery file of a data folder; null if its process has ended. Another program might
 * listen at the address, so send no secret before the program has proven that it is the companion. Throws if the file
 * is unreadable or malformed.
 */
export const readDiscoveryFile = async (dataDir: string): Promise<(Discovery & { port: number }) | null> => {
  const data = discoverySchema.parse(JSON.parse(await readOwnFileText(getDiscoveryPath(dataDir))));
  if (!isProcessAlive(data.pid) || (await isProcessGone(data.pid, data))) return null;
  return { ...data, port: parseLoopbackPort(data.url) };
};
