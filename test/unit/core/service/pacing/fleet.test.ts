import { describe, expect, test } from 'vitest';
import { peaks, play, scenes, type Scene } from '../../../../../bench/fleet/scenes.ts';

const companions = 3_000;
const seed = 1;
const peak = (scene: Scene, isEven = false): number => peaks(scene, play(scene, companions, seed, isEven)).minute;

describe('many companions, each on its own, with the pacing of the real one', () => {
  test('on a day on which people are there evenly, no minute has more than one and a half times the mean', () => {
    expect(peak(scenes.day)).toBeLessThan(1.5);
  });

  test.each(['fault', 'told', 'unreachable'] as const)(
    'after an outage (%s) no minute has more than twice the usual',
    (name) => {
      expect(peak(scenes[name])).toBeLessThan(2);
    },
  );

  test('while the service has a fault it is asked less than usual, and less the longer it lasts', () => {
    const load = play(scenes.fault, companions, seed);
    const sum = (fromMinute: number, minutes: number): number =>
      load.subarray(fromMinute * 60, (fromMinute + minutes) * 60).reduce((all, calls) => all + calls, 0) / minutes;
    const usual = sum(0, 30);
    expect(sum(50, 30)).toBeLessThan(usual * 0.6);
    expect(sum(50, 30)).toBeGreaterThan(usual * 0.2);
  });

  test('ten minutes after an outage nearly all are back', () => {
    const load = play(scenes.fault, companions, seed);
    const minute = (nth: number): number =>
      load.subarray(nth * 60, nth * 60 + 60).reduce((all, calls) => all + calls, 0);
    const usual = peaks(scenes.fault, load).usual;
    expect(minute(100)).toBeGreaterThan(usual * 0.95);
  });

  test.each(['midnight', 'release', 'slowRelease'] as const)('%s: no minute has more than twice the usual', (name) => {
    expect(peak(scenes[name])).toBeLessThan(2);
  });

  test('with fixed times the same companions would come together', () => {
    expect(peak(scenes.told, true)).toBeGreaterThan(2);
    expect(peak(scenes.release, true)).toBeGreaterThan(3);
  });

  test('a scene with the same seed is the same', () => {
    expect(play(scenes.midnight, 200, 9)).toEqual(play(scenes.midnight, 200, 9));
    expect(play(scenes.midnight, 200, 9)).not.toEqual(play(scenes.midnight, 200, 10));
  });
});
