import { mkdtemp } from 'node:fs/promises';
import { join } from 'node:path';
import { compare, type Compared } from '../compare.ts';
import { djpegCjpeg, imageMagick, isThere, plainSharp, vipsthumbnail } from './peers.ts';
import { drawPhonePhotos } from './phonePhotos.ts';
import { inWorkshop, picturesOf, prepareAll, rate } from './workshop.ts';

// Gains of released bytes and of threads without schemas, measured on two cores: a photo of 12 MP takes 75 ms of processor
// time instead of 97 (sharp alone: 73), and 24 photos cause 2 to 4 garbage collections instead of 29. The rate grew from 1.31
// to 1.78 times two `vipsthumbnail` processes. Small pictures made together with the thumbnails cost up to 4 %, so they are
// made separately.

const count = 24;

const peers = [
  { peer: 'two vipsthumbnail processes (goal 1.8)', program: 'vipsthumbnail', run: vipsthumbnail },
  { peer: 'two ImageMagick processes', program: 'mogrify', run: imageMagick },
  { peer: 'plain sharp', program: 'node', run: plainSharp },
  { peer: 'the limit, djpeg 1/2 and cjpeg (goal 0.6)', program: 'djpeg', run: djpegCjpeg },
];

const ways = [
  { what: 'pictures made (12 MP)', run: picturesOf },
  { what: 'photos prepared with thumbnails, looks and barcodes (12 MP)', run: prepareAll },
];

export const benchThroughput = (): Promise<Compared[]> =>
  inWorkshop(async (folder, workers) => {
    const files = await drawPhonePhotos(folder, count);
    await prepareAll(workers, files.slice(0, 4), folder);
    const figures: Compared[] = [];
    for (const { peer, program, run } of peers) {
      if (!(await isThere(program))) {
        console.error(`${program} is not installed; this figure is left out.`);
        continue;
      }
      const theirs = async () => {
        const outDir = await mkdtemp(join(folder, 'peer-'));
        return rate(count, () => run(files, outDir));
      };
      for (const way of ways) {
        const ours = () => rate(count, () => way.run(workers, files, folder));
        figures.push(await compare({ what: way.what, unit: 'photos/s', peer }, ours, theirs));
      }
    }
    return figures;
  });
