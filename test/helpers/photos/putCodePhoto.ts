import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import bwip from 'bwip-js/node';
import sharp from 'sharp';

export type CodeKind = 'ean13' | 'qrcode' | 'code128' | 'code39';

/** The sizes at which a code fills about a third of the photo. */
const drawing: Record<CodeKind, { scale: number; height?: number }> = {
  ean13: { scale: 4, height: 40 },
  qrcode: { scale: 12 },
  code128: { scale: 4, height: 30 },
  code39: { scale: 3, height: 30 },
};

const putPhotoOnPaper = async (path: string, size: { width: number; height: number }, code: Buffer): Promise<void> => {
  const paper = sharp({ create: { ...size, channels: 3, background: '#dcd' } });
  await writeFile(
    path,
    await paper
      .composite([{ input: code }])
      .jpeg({ quality: 90 })
      .toBuffer(),
  );
};

/** Writes a photo of a barcode or of a label with a code into a folder, replacing a photo with the same name. */
export const putCodePhoto = async (folder: string, name: string, bcid: CodeKind, text: string): Promise<void> => {
  const code = await bwip.toBuffer({ bcid, text, paddingwidth: 20, ...drawing[bcid] });
  await putPhotoOnPaper(join(folder, name), { width: 1200, height: 900 }, code);
};

/** Writes a camera photo of 4000 × 3000 pixels, of which a label with a code fills this share of the width. */
export const putSmallCodePhoto = async (path: string, bcid: CodeKind, text: string, share: number): Promise<void> => {
  const code = await bwip.toBuffer({ bcid, text, backgroundcolor: 'ffffff', paddingwidth: 10, ...drawing[bcid] });
  const label = await sharp(code)
    .resize({ width: Math.round(4000 * share) })
    .toBuffer();
  await putPhotoOnPaper(path, { width: 4000, height: 3000 }, label);
};
