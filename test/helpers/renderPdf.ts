import { PDFiumLibrary } from '@hyzyla/pdfium';
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { prepareZXingModule, readBarcodes } from 'zxing-wasm/reader';

/** Documents rendered by PDFium, which Chromium uses too, so that tests see what a printer gets. */

const scale = 300 / 72;
const pointsPerMm = 72 / 25.4;

type Picture = { width: number; height: number; grey: Uint8Array };
/** A page in shades of grey, at about 300 pixels per inch. */
export type RenderedPage = Picture & { text: string; pixelsPerMm: { x: number; y: number } };
type Area = { x: number; y: number; width: number; height: number };

const { resolve } = createRequire(import.meta.url);
let library: Promise<PDFiumLibrary> | undefined;

export const renderPdf = async (pdf: Uint8Array, maxPages = 1): Promise<{ count: number; pages: RenderedPage[] }> => {
  library ??= PDFiumLibrary.init();
  const document = await (await library).loadDocument(pdf);
  const count = document.getPageCount();
  const pages: RenderedPage[] = [];
  for (let at = 0; at < Math.min(count, maxPages); at += 1) {
    const page = document.getPage(at);
    // The library closes a page after it has rendered it.
    const text = page.getText();
    const { originalWidth, originalHeight } = page.getOriginalSize();
    const { width, height, data } = await page.render({ scale, render: 'bitmap' });
    const grey = new Uint8Array(width * height).map((_, pixel) => data[pixel * 4] ?? 0);
    // The library renders whole points, so a page is stretched by less than a point.
    const pixelsPerMm = {
      x: (width / originalWidth) * pointsPerMm,
      y: (height / originalHeight) * pointsPerMm,
    };
    pages.push({ width, height, grey, text, pixelsPerMm });
  }
  document.destroy();
  return { count, pages };
};

/** Cuts an area, in millimetres, out of a page. */
const cropPage = (page: RenderedPage, area: Area): Picture => {
  const { x, y } = page.pixelsPerMm;
  const [left, top] = [Math.round(area.x * x), Math.round(area.y * y)];
  const width = Math.min(page.width - left, Math.round(area.width * x));
  const height = Math.min(page.height - top, Math.round(area.height * y));
  const grey = new Uint8Array(width * height);
  for (let row = 0; row < height; row += 1) {
    const start = (top + row) * page.width + left;
    grey.set(page.grey.subarray(start, start + width), row * width);
  }
  return { width, height, grey };
};

/** Returns the box of all ink in an area, in millimetres from the corner of the area; null if there is no ink. */
export const findInk = (page: RenderedPage, area: Area): Area | null => {
  const { width, height, grey } = cropPage(page, area);
  let [left, top, right, bottom] = [width, height, -1, -1];
  for (let y = 0; y < height; y += 1)
    for (let x = 0; x < width; x += 1) {
      if ((grey[y * width + x] ?? 255) > 127) continue;
      [left, right] = [Math.min(left, x), Math.max(right, x + 1)];
      [top, bottom] = [Math.min(top, y), Math.max(bottom, y + 1)];
    }
  if (right < 0) return null;
  const perMm = page.pixelsPerMm;
  const [x, y] = [left / perMm.x, top / perMm.y];
  return { x, y, width: right / perMm.x - x, height: bottom / perMm.y - y };
};

let reader: Promise<unknown> | undefined;

const loadReader = async (): Promise<void> => {
  const file = await readFile(resolve('zxing-wasm/reader/zxing_reader.wasm'));
  await prepareZXingModule({ overrides: { wasmBinary: new Uint8Array(file).buffer }, fireImmediately: true });
};

/** Reads the QR codes in an area of a page like a scanner. */
export const readQrCodes = async (page: RenderedPage, area: Area): Promise<string[]> => {
  await (reader ??= loadReader());
  const { width, height, grey } = cropPage(page, area);
  const data = new Uint8ClampedArray(width * height * 4);
  grey.forEach((shade, pixel) => data.set([shade, shade, shade, 255], pixel * 4));
  const picture = { width, height, data, colorSpace: 'srgb' } as ImageData;
  const found = await readBarcodes(picture, { formats: ['QRCode'], tryHarder: true });
  return found.map(({ text }) => text);
};
