import type { Display, Rectangle } from 'electron';

const preferredSize = { width: 520, height: 760 };
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
    x: tray.x + tray.width / 2 - preferredSize.width / 2,
    y: isAbove ? tray.y + tray.height + marginPx : tray.y - marginPx - height,
  };
};

type ScreenAreas = Pick<Display, 'bounds' | 'workArea'>;

/** Whether the system tells where the tray's picture is: Linux does not, and answers an empty place. */
export const isKnown = (tray: Rectangle): boolean => tray.width > 0 && tray.height > 0;

/** Where the compact review window opens: near the tray's picture, and always wholly inside of the work area. */
export const reviewPlace = (tray: Rectangle, screen: ScreenAreas): Rectangle => {
  const { workArea } = screen;
  const width = Math.min(preferredSize.width, workArea.width - 2 * marginPx);
  const height = Math.min(preferredSize.height, workArea.height - 2 * marginPx);
  const { x, y } = isKnown(tray) ? beside(tray, screen, height) : corner(screen);
  return {
    x: clamp(x, workArea.x + marginPx, workArea.x + workArea.width - width - marginPx),
    y: clamp(y, workArea.y + marginPx, workArea.y + workArea.height - height - marginPx),
    width,
    height,
  };
};
