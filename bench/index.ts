// `npm run bench [-- photos|bridge|practice|intake|listings|startUp]`: each benchmark prints its figure beside a peer's, measured in the same run.
import { benchBridge } from './bridge.ts';
import { line } from './compare.ts';
import { benchIntake } from './intake.ts';
import { benchListings } from './listings.ts';
import { benchPhotos } from './photos/index.ts';
import { benchPractice } from './practice.ts';
import { benchStartUp } from './startUp.ts';

const benchmarks = {
  photos: benchPhotos,
  bridge: benchBridge,
  practice: benchPractice,
  intake: benchIntake,
  listings: benchListings,
  startUp: benchStartUp,
};

const wanted = process.argv.slice(2);
for (const [name, run] of Object.entries(benchmarks)) {
  if (wanted.length > 0 && !wanted.includes(name)) continue;
  for (const one of [await run()].flat()) console.log(line(one));
}
