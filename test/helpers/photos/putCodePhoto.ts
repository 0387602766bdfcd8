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

/** Writes a photo of a barcode or of a label with a code into a folder, replacing a photo with the same name. */
export const putCodePhoto = async (folder: string, name: string, bcid: CodeKind, text: string): Promise<void> => {
  const code = await bwip.toBuffer({ bcid, text, paddingwidth: 20, ...drawing[bcid] });
  const paper = sharp({ create: { width: 1200, height: 900, channels: 3, background: '#dcd' } });
  await writeFile(
    join(folder, name),
    await paper
      .composite([{ input: code }])
      .jpeg({ quality: 90 })
      .toBuffer(),
  );
};
