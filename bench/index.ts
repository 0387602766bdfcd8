// `npm run bench [-- NAME…]` prints each figure beside the figure of a peer from the same run, and stores both in
// bench/RESULTS.md. It fails if a figure is over a limit. `wholeWay --timeline` also prints when each item reached each step.
import { benchAssistants } from './bridge/assistants.ts';
import { benchBridge } from './bridge.ts';
import { benchCache } from './cache.ts';
import { isOverLimit, line } from './compare.ts';
import { benchFleet } from './fleet/index.ts';
import { benchGrouping } from './grouping.ts';
import { benchHosts } from './hosts.ts';
import { benchIntake } from './intake.ts';
import { benchItems } from './items.ts';
import { benchLabels } from './labels.ts';
import { benchListings } from './listings.ts';
import { benchCommand } from './photos/command.ts';
import { benchPhotos } from './photos/index.ts';
import { benchPractice } from './practice.ts';
import { benchPresence } from './presence.ts';
import { keepResults } from './results.ts';
import { benchScale } from './scale/index.ts';
import { benchShelf } from './shelf.ts';
import { benchStartUp } from './startUp.ts';
import { benchWholeWay } from './wholeWay.ts';
import { benchWindow } from './window.ts';
import { benchWriter } from './writer.ts';

const benchmarks = {
  photos: benchPhotos,
  prepare: benchCommand,
  grouping: benchGrouping,
  bridge: benchBridge,
  assistants: benchAssistants,
  practice: benchPractice,
  intake: benchIntake,
  items: benchItems,
  listings: benchListings,
  shelf: benchShelf,
  scale: benchScale,
  cache: benchCache,
  writer: benchWriter,
  fleet: benchFleet,
  wholeWay: benchWholeWay,
  startUp: benchStartUp,
  hosts: benchHosts,
  window: benchWindow,
  presence: benchPresence,
  labels: benchLabels,
};

const wanted = process.argv.slice(2).filter((name) => !name.startsWith('--'));
for (const [name, run] of Object.entries(benchmarks)) {
  if (wanted.length > 0 && !wanted.includes(name)) continue;
  const figures = [await run()].flat();
  for (const one of figures) {
    console.log(line(one));
    if (isOverLimit(one)) process.exitCode = 1;
  }
  keepResults(name, figures);
}
