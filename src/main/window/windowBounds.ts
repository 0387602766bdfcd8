import type { Display, Rectangle } from 'electron';

const reviewSize = { width: 520, height: 760 };
const marginPx = 8;

const clampAndRound = (value: number, from: number, to: number): number =>
  Math.round(Math.min(Math.max(value, from), to));

const getTrayCorner = ({ bounds, workArea }: ScreenAreas): { x: number; y: number } => {
  const right = workArea.x + workArea.width;
  const bottom = workArea.y + workArea.height;
  return { x: right, y: bottom < bounds.y + bounds.height ? bottom : workArea.y };
};

const getPositionBesideTray = (
  tray: Rectangle,
  { workArea }: ScreenAreas,
  height: number,
): { x: number; y: number } => {
  const isAbove = tray.y + tray.height / 2 < workArea.y + workArea.height / 2;
  return {
    x: tray.x + tray.width / 2 - reviewSize.width / 2,
    y: isAbove ? tray.y + tray.height + marginPx : tray.y - marginPx - height,
  };
};

type ScreenAreas = Pick<Display, 'bounds' | 'workArea'>;

/** Returns false on Linux, which reports an empty rectangle. */
export const isTrayPositionKnown = (tray: Rectangle): boolean => tray.width > 0 && tray.height > 0;

export const computeReviewBounds = (tray: Rectangle, screen: ScreenAreas): Rectangle => {
  const { workArea } = screen;
  const width = Math.min(reviewSize.width, workArea.width - 2 * marginPx);
  const height = Math.min(reviewSize.height, workArea.height - 2 * marginPx);
  const { x, y } = isTrayPositionKnown(tray) ? getPositionBesideTray(tray, screen, height) : getTrayCorner(screen);
  return {
    x: clampAndRound(x, workArea.x + marginPx, workArea.x + workArea.width - width - marginPx),
    y: clampAndRound(y, workArea.y + marginPx, workArea.y + workArea.height - height - marginPx),
    width,
    height,
  };
};

const defaultSize = { width: 1240, height: 820 };

/** The person needs to see this part of the title bar to drag the window. */
const minVisibleTitleBar = { width: 120, height: 32 };

const computeOverlapLength = (from: number, length: number, otherFrom: number, otherLength: number): number =>
  Math.max(0, Math.min(from + length, otherFrom + otherLength) - Math.max(from, otherFrom));

const computeSharedArea = (a: Rectangle, b: Rectangle): number =>
  computeOverlapLength(a.x, a.width, b.x, b.width) * computeOverlapLength(a.y, a.height, b.y, b.height);

const isTitleBarReachable = (window: Rectangle, area: Rectangle): boolean =>
  computeOverlapLength(window.x, window.width, area.x, area.width) >= minVisibleTitleBar.width &&
  window.y >= area.y - minVisibleTitleBar.height / 2 &&
  window.y + minVisibleTitleBar.height <= area.y + area.height;

const centreInArea = (size: { width: number; height: number }, area: Rectangle): Rectangle => ({
  x: Math.round(area.x + (area.width - size.width) / 2),
  y: Math.round(area.y + (area.height - size.height) / 2),
  ...size,
});

const shrinkToArea = (size: { width: number; height: number }, area: Rectangle) => ({
  width: Math.min(size.width, area.width),
  height: Math.min(size.height, area.height),
});

/**
 * Uses the saved bounds if the title bar stays reachable. Otherwise the window is centred on the main screen.
 */
export const computeWindowBounds = (
  saved: Rectangle | null,
  workAreas: readonly [Rectangle, ...Rectangle[]],
): Rectangle => {
  const [main] = workAreas;
  if (saved === null) return centreInArea(shrinkToArea(defaultSize, main), main);
  const area = workAreas.reduce(
    (best, candidate) => (computeSharedArea(saved, candidate) > computeSharedArea(saved, best) ? candidate : best),
    main,
  );
  const size = shrinkToArea(saved, area);
  return isTitleBarReachable({ ...saved, ...size }, area)
    ? { x: saved.x, y: saved.y, ...size }
    : centreInArea(shrinkToArea(saved, main), main);
};
