import sharp from 'sharp';
import { expect, test } from 'vitest';
import { chooseTrayImage } from '../../../src/main/tray/trayImage.ts';

const decodeImage = (dataURL: string) =>
  sharp(Buffer.from(dataURL.slice(dataURL.indexOf(',') + 1), 'base64'))
    .ensureAlpha()
    .raw()
    .toBuffer({ resolveWithObject: true });

test.each(['quiet', 'waiting'] as const)(
  'the tray has a template image for both Mac screen densities: %s',
  async (kind) => {
    const { scales, isTemplate } = chooseTrayImage(kind, 'darwin');
    expect(isTemplate).toBe(true);
    const sizes: unknown[] = [];
    for (const { scaleFactor, dataURL } of scales) {
      const { data, info } = await decodeImage(dataURL);
      sizes.push([scaleFactor, info.width, info.height]);
      // A template image is black; the system uses only its transparency.
      const pixels = Array.from({ length: data.length / 4 }, (_none, at) => [...data.subarray(4 * at, 4 * at + 4)]);
      expect(pixels.filter(([r, g, b, a]) => a !== 0 && [r, g, b].some((part) => part !== 0))).toEqual([]);
      const opaque = pixels.filter(([, , , a = 0]) => a >= 128).length / pixels.length;
      expect(opaque).toBeGreaterThan(0.2);
      expect(opaque).toBeLessThan(0.8);
    }
    expect(sizes).toEqual([
      [1, 16, 16],
      [2, 32, 32],
    ]);
  },
);

test.each(['win32', 'linux'] as const)(
  'the tray image of other systems is a single colour picture: %s',
  async (platform) => {
    const { scales, isTemplate } = chooseTrayImage('waiting', platform);
    expect([scales.length, isTemplate]).toEqual([1, false]);
    expect((await decodeImage(scales[0]?.dataURL ?? '')).info).toMatchObject({ width: 32, height: 32 });
  },
);
