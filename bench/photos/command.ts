import { execFile } from 'node:child_process';
import { mkdtemp } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { compare, type Compared } from '../compare.ts';
import { isThere, vipsthumbnail } from './peers.ts';
import { drawPhonePhotos } from './phonePhotos.ts';
import { inWorkshop, rate } from './workshop.ts';

// Memory given back by hand: 2.8 → 2.25 to 2.35 s for 40 photos.
// Gains of a short way to the first photo, on two cores: 3.72 → 3.53 s of the processors for 40 photos, the first one 0.1 s
// sooner; 1.32 → 1.41 times two `vipsthumbnail` processes. 1.5 s of the command are sharp's own work on both cores.
// Of single parts, in 30 pairs: sharp without Node's child processes and hashes 189 → 157 ms of processor time to load in two
// threads; the zone from its link 4 % of the command's own processor time, 77 → 71 MB.

const count = 40;
const root = join(import.meta.dirname, '..', '..');

/** The whole command, from npm's start to its end, as it was built. */
const prepareCommand = (folder: string, out: string): Promise<unknown> =>
  promisify(execFile)('npm', ['run', '-s', 'cli', '--', 'prepare', folder, '--out', out, '--json'], { cwd: root });

/** A folder of 12-megapixel photos by the command line, its start included, against a program that is started as well. */
export const benchCommand = async (): Promise<Compared[]> => {
  if (!(await isThere('vipsthumbnail'))) return [];
  await promisify(execFile)(process.execPath, [join(root, 'scripts', 'run.mjs'), 'build']);
  return inWorkshop(async (work) => {
    const folder = await mkdtemp(join(work, 'photos-'));
    const files = await drawPhonePhotos(folder, count);
    const out = (): Promise<string> => mkdtemp(join(work, 'out-'));
    const names = {
      what: `cli prepare on ${count} photos (12 MP), from its start to its end`,
      ...{ unit: 'photos/s', peer: 'two vipsthumbnail processes (goal 1.4)' },
    };
    return [
      await compare(
        names,
        async () => rate(count, async () => prepareCommand(folder, await out())),
        async () => rate(count, async () => vipsthumbnail(files, await out())),
      ),
    ];
  });
};
