import { randomUUID } from 'node:crypto';
import { rename, rm, writeFile } from 'node:fs/promises';

/** Writes a file so that others see it whole or not at all: beside its place first, then renamed. */
export const writeWhole = async (path: string, content: Uint8Array | string): Promise<void> => {
  const beside = `${path}.${randomUUID()}.tmp`;
  try {
    await writeFile(beside, content);
    await rename(beside, path);
  } catch (error) {
    await rm(beside, { force: true });
    throw error;
  }
};
