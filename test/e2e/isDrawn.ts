import type { Locator } from 'playwright/test';

/** Returns whether the middle of a canvas is opaque. */
export const isDrawn = (canvas: Locator): Promise<boolean> =>
  canvas.evaluate((element) => {
    if (!(element instanceof HTMLCanvasElement)) throw new Error('This is no canvas.');
    const [, , , opacity] =
      element.getContext('2d')?.getImageData(element.width / 2, element.height / 2, 1, 1).data ?? [];
    return opacity === 255;
  });
