import { against, type Compared } from '../compare.ts';
import { chart } from './chart.ts';
import { byMinute, peaks, play, scenes, type Scene } from './scenes.ts';

const companions = 100_000;
/** Fewer companions are enough for the peer, because its figure is a ratio. */
const evenCompanions = 20_000;
const seed = 20_260_115;

/** Simulates a scene and draws its load. Returns its busiest minute as a multiple of the usual minute. */
const draw = (scene: Scene): number => {
  const load = play(scene, companions, seed);
  const minutes = byMinute(load);
  const { usual, minute, second } = peaks(scene, load);
  const indent = ' '.repeat(12);
  console.log(`\n${scene.title}: usual ${Math.round(usual).toLocaleString('en')} calls a minute`);
  console.log(chart(minutes, usual, Math.max(...minutes)));
  console.log(`${indent}0 to ${scene.lengthMs / 60_000} minutes`);
  console.log(`${indent}busiest minute ${minute.toFixed(2)} × usual, busiest second ${second.toFixed(2)} ×`);
  return minute;
};

/**
 * Simulates 100,000 companions during a usual day, outages, midnight Pacific and a release. Each figure is the busiest
 * minute as a multiple of the usual minute. The peer is the same pacing with fixed times instead of random times.
 */
export const benchFleet = async (): Promise<Compared[]> =>
  Object.values<Scene>(scenes).map((scene) => {
    const ours = draw(scene);
    const even = peaks(scene, play(scene, evenCompanions, seed, true)).minute;
    return against(`busiest minute of ${scene.title}`, '× usual', ours, 'fixed times', even);
  });
