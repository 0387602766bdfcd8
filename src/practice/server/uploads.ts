import type { Request } from 'express';
import { Refusal } from '../refusal.ts';
import { openSlot, photoBytesLimit, storePhoto } from '../world/photos.ts';
import type { World } from '../world/world.ts';
import { readBytes } from './readBytes.ts';
import type { Reply } from './reply.ts';

/** Takes the bytes of one photo at its upload address. The address is the permission: no key is needed. */
export const takeUpload =
  (world: World) =>
  async (request: Request): Promise<Reply> => {
    const token = String(request.params['token']);
    const contentType = request.headers['content-type'];
    // Looked at before the bytes, so that a wrong upload is refused without reading it.
    openSlot(world, token, contentType);
    const bytes = await readBytes(request, photoBytesLimit);
    if (bytes === null) throw new Refusal(413, 'The photo is larger than 25 MiB.');
    if (bytes.length === 0) throw new Refusal(400, 'There are no bytes.');
    await storePhoto(world, token, contentType ?? '', bytes);
    return { status: 200, headers: {}, body: { stored: true } };
  };
