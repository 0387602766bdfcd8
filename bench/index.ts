// `npm run bench [-- photos|bridge|practice]`: each benchmark prints its figure beside a peer's, measured in the same run.
import { benchBridge } from './bridge.ts';
import { line } from './compare.ts';
import { benchPhotos } from './photos/index.ts';
import { benchPractice } from './practice.ts';

const benchmarks = { photos: benchPhotos, bridge: benchBridge, practice: benchPractice };

const wanted = process.argv.slice(2);
for (const [name, run] of Object.entries(benchmarks)) {
  if (wanted.length > 0 && !wanted.includes(name)) continue;
  for (const one of [await run()].flat()) console.log(line(one));
}
