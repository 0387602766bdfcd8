import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as z from 'zod';
import { run } from '../database.ts';
import { refuse } from '../refusal.ts';
import { photosOf } from '../world/photos.ts';
import type { World } from '../world/world.ts';

/** Which photo gets which bytes. */
export const replacing = z.strictObject({
  listingId: z.string(),
  index: z.int().min(0).default(0),
  /** Any bytes, also such as are no picture. */
  base64: z.base64(),
});

/** Puts other bytes behind the address of a photo, which stays as it is: what no honest service does. */
export const replacePhoto = async (world: World, { listingId, index, base64 }: z.infer<typeof replacing>) => {
  const photo = photosOf(world, listingId).find(({ position }) => position === index);
  if (!photo) return refuse(404, 'There is no such photo.');
  const bytes = Buffer.from(base64, 'base64');
  await writeFile(join(world.photosDir, photo.file), bytes);
  run(world.db, 'UPDATE photos SET bytes = ? WHERE file = ?', bytes.length, photo.file);
  return { file: photo.file, bytes: bytes.length };
};
