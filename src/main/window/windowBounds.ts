import type { Rectangle } from 'electron';

const defaultSize = { width: 1240, height: 820 };

/** So much of the title bar must be in sight that a hand can take it. */
const grip = { width: 120, height: 32 };

const overlap = (from: number, length: number, otherFrom: number, otherLength: number): number =>
  Math.max(0, Math.min(from + length, otherFrom + otherLength) - Math.max(from, otherFrom));

const sharedArea = (a: Rectangle, b: Rectangle): number =>
  overlap(a.x, a.width, b.x, b.width) * overlap(a.y, a.height, b.y, b.height);

const isReachable = (window: Rectangle, area: Rectangle): boolean =>
  overlap(window.x, window.width, area.x, area.width) >= grip.width &&
  window.y >= area.y - grip.height / 2 &&
  window.y + grip.height <= area.y + area.height;

const centred = (size: { width: number; height: number }, area: Rectangle): Rectangle => ({
  x: Math.round(area.x + (area.width - size.width) / 2),
  y: Math.round(area.y + (area.height - size.height) / 2),
  ...size,
});

const fitting = (size: { width: number; height: number }, area: Rectangle) => ({
  width: Math.min(size.width, area.width),
  height: Math.min(size.height, area.height),
});

/**
 * Where the window opens: where it was, as far as that is still on a screen and no larger than it; otherwise in the middle
 * of the first of `workAreas`, which is the main screen's.
 */
export const windowBounds = (saved: Rectangle | null, workAreas: readonly [Rectangle, ...Rectangle[]]): Rectangle => {
  const [main] = workAreas;
  if (saved === null) return centred(fitting(defaultSize, main), main);
  const area = workAreas.reduce((best, one) => (sharedArea(saved, one) > sharedArea(saved, best) ? one : best), main);
  const size = fitting(saved, area);
  return isReachable({ ...saved, ...size }, area)
    ? { x: saved.x, y: saved.y, ...size }
    : centred(fitting(saved, main), main);
};
