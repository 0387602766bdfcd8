import type { Display, Rectangle } from 'electron';

const reviewSize = { width: 520, height: 760 };
const marginPx = 8;

const clamp = (value: number, from: number, to: number): number => Math.round(Math.min(Math.max(value, from), to));

/** In the corner where the tray usually is: at the right, on the side of the screen that has the panel. */
const corner = ({ bounds, workArea }: ScreenAreas): { x: number; y: number } => {
  const right = workArea.x + workArea.width;
  const bottom = workArea.y + workArea.height;
  return { x: right, y: bottom < bounds.y + bounds.height ? bottom : workArea.y };
};

/** Under the tray's picture where that is above, else over it. */
const beside = (tray: Rectangle, { workArea }: ScreenAreas, height: number): { x: number; y: number } => {
  const isAbove = tray.y + tray.height / 2 < workArea.y + workArea.height / 2;
  return {
    x: tray.x + tray.width / 2 - reviewSize.width / 2,
    y: isAbove ? tray.y + tray.height + marginPx : tray.y - marginPx - height,
  };
};

type ScreenAreas = Pick<Display, 'bounds' | 'workArea'>;

/** Whether the system tells where the tray's picture is: Linux does not, and answers an empty place. */
export const isTrayKnown = (tray: Rectangle): boolean => tray.width > 0 && tray.height > 0;

/** Where the compact review window opens: near the tray's picture, and always wholly inside of the work area. */
export const reviewWindowBounds = (tray: Rectangle, screen: ScreenAreas): Rectangle => {
  const { workArea } = screen;
  const width = Math.min(reviewSize.width, workArea.width - 2 * marginPx);
  const height = Math.min(reviewSize.height, workArea.height - 2 * marginPx);
  const { x, y } = isTrayKnown(tray) ? beside(tray, screen, height) : corner(screen);
  return {
    x: clamp(x, workArea.x + marginPx, workArea.x + workArea.width - width - marginPx),
    y: clamp(y, workArea.y + marginPx, workArea.y + workArea.height - height - marginPx),
    width,
    height,
  };
};

const defaultSize = { width: 1240, height: 820 };

/** So much of the title bar must be in sight that a hand can take it. */
const minVisibleTitleBar = { width: 120, height: 32 };

const overlap = (from: number, length: number, otherFrom: number, otherLength: number): number =>
  Math.max(0, Math.min(from + length, otherFrom + otherLength) - Math.max(from, otherFrom));

const sharedArea = (a: Rectangle, b: Rectangle): number =>
  overlap(a.x, a.width, b.x, b.width) * overlap(a.y, a.height, b.y, b.height);

const isReachable = (window: Rectangle, area: Rectangle): boolean =>
  overlap(window.x, window.width, area.x, area.width) >= minVisibleTitleBar.width &&
  window.y >= area.y - minVisibleTitleBar.height / 2 &&
  window.y + minVisibleTitleBar.height <= area.y + area.height;

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
