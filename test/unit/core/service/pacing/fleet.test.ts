import { describe, expect, test } from 'vitest';
import { peaks, play, scenes, type Scene } from '../../../../../bench/fleet/scenes.ts';

const companions = 3_000;
const seed = 1;
const computePeak = (scene: Scene, isEven = false): number =>
  peaks(scene, play(scene, companions, seed, isEven)).minute;

describe('a fleet of independent companions with the real pacing', () => {
  test('never exceeds one and a half times the mean load on an even day', () => {
    expect(computePeak(scenes.day)).toBeLessThan(1.5);
  });

  test.each([scenes.fault, scenes.told, scenes.unreachable])(
    'stays below twice the usual load in every minute after $title',
    (scene) => {
      expect(computePeak(scene)).toBeLessThan(2);
    },
  );

  test('calls a faulty service less than usual', () => {
    const load = play(scenes.fault, companions, seed);
    const sum = (fromMinute: number, minutes: number): number =>
      load.subarray(fromMinute * 60, (fromMinute + minutes) * 60).reduce((all, calls) => all + calls, 0) / minutes;
    const usual = sum(0, 30);
    expect(sum(50, 30)).toBeLessThan(usual * 0.6);
    expect(sum(50, 30)).toBeGreaterThan(usual * 0.2);
  });

  test('reaches almost the usual load again within ten minutes after an outage', () => {
    const load = play(scenes.fault, companions, seed);
    const minute = (nth: number): number =>
      load.subarray(nth * 60, nth * 60 + 60).reduce((all, calls) => all + calls, 0);
    const usual = peaks(scenes.fault, load).usual;
    expect(minute(100)).toBeGreaterThan(usual * 0.95);
  });

  test.each([scenes.midnight, scenes.release, scenes.slowRelease])(
    'stays below twice the usual load in every minute: $title',
    (scene) => {
      expect(computePeak(scene)).toBeLessThan(2);
    },
  );

  test('would cause load peaks with fixed instead of random times', () => {
    expect(computePeak(scenes.told, true)).toBeGreaterThan(2);
    expect(computePeak(scenes.release, true)).toBeGreaterThan(3);
  });

  test('is simulated identically for the same seed', () => {
    expect(play(scenes.midnight, 200, 9)).toEqual(play(scenes.midnight, 200, 9));
    expect(play(scenes.midnight, 200, 9)).not.toEqual(play(scenes.midnight, 200, 10));
  });
});
