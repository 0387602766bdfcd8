import { execFile } from 'node:child_process';
import { mkdtemp } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { compare, type Compared } from '../compare.ts';
import { isThere, vipsthumbnail } from './peers.ts';
import { drawPhonePhotos } from './phonePhotos.ts';
import { inWorkshop, rate } from './workshop.ts';

// Gains of single changes, measured on two cores with 40 photos:
// - Explicit release of photo memory: 2.8 → 2.25 to 2.35 s.
// - A shorter path to the first photo: 3.72 → 3.53 s of processor time, and the first photo 0.1 s earlier. The rate grew from
//   1.32 to 1.41 times two `vipsthumbnail` processes. sharp itself uses 1.5 s of the command on both cores.
// - sharp without Node's child processes and hashes (30 pairs): 189 → 157 ms of processor time to load it in two threads.
// - The time zone read from its link (30 pairs): 4 % of the processor time of the command, 77 → 71 MB.

const count = 40;
const root = join(import.meta.dirname, '..', '..');

const prepareCommand = (folder: string, out: string): Promise<unknown> =>
  promisify(execFile)('npm', ['run', '-s', 'cli', '--', 'prepare', folder, '--out', out, '--json'], { cwd: root });

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
