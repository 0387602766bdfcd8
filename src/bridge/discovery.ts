import { mkdir, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

/** Where assistants find the bridge. The file holds no token. */
export type Discovery = { url: string; mcpUrl: string; pid: number; version: string; startedAt: string };

const fileOf = (dataDir: string): string => join(dataDir, 'bridge.json');

/** Writes the discovery file, readable by this user only, whole or not at all. */
export const writeDiscovery = async (dataDir: string, discovery: Discovery): Promise<void> => {
  await mkdir(dataDir, { recursive: true, mode: 0o700 });
  const partial = `${fileOf(dataDir)}.${process.pid}.part`;
  await writeFile(partial, `${JSON.stringify(discovery, null, 2)}\n`, { mode: 0o600 });
  await rename(partial, fileOf(dataDir));
};

/** Removes the discovery file; it is no error where there is none. */
export const removeDiscovery = (dataDir: string): Promise<void> => rm(fileOf(dataDir), { force: true });
