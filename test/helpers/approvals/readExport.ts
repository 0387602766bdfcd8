import { readFile } from 'node:fs/promises';
import type { FileExports, OfferedFile } from '../../../src/core/companion/dataTasks/fileExports.ts';
import type { World } from '../world.ts';

/** Runs an export and returns the text of its file. */
export const readExport = async (
  world: Pick<World, 'companion'>,
  run: (exports: FileExports) => Promise<OfferedFile | null>,
): Promise<string> => {
  const { exports } = world.companion();
  const offered = await run(exports);
  const found = exports.find(offered?.url.split('/').at(-1) ?? '');
  if (found === null) throw new Error('There is no exported file.');
  return readFile(found.path, 'utf8');
};
