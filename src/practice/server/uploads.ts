import express, { type Request, type Response } from 'express';
import { Refusal } from '../refusal.ts';
import { openSlot, photoBytesLimit, storePhoto } from '../world/photos.ts';
import type { World } from '../world/world.ts';
import type { Reply } from './reply.ts';

const readBytes = express.raw({ limit: photoBytesLimit, type: () => true });

const bytesOf = async (request: Request, response: Response): Promise<Buffer> => {
  await new Promise<void>((resolve, reject) => {
    readBytes(request, response, (error?: unknown) =>
      error === undefined ? resolve() : reject(new Refusal(413, 'The photo is too large, or did not arrive whole.')),
    );
  });
  const body: unknown = request.body;
  return Buffer.isBuffer(body) ? body : Buffer.alloc(0);
};

/** Takes the bytes of one photo at its upload address. The address is the permission: no key is needed. */
export const takeUpload =
  (world: World) =>
  async (request: Request, response: Response): Promise<Reply> => {
    const token = String(request.params['token']);
    const contentType = request.headers['content-type'];
    // Looked at before the bytes, so that a wrong upload is refused without reading it.
    openSlot(world, token, contentType);
    const bytes = await bytesOf(request, response);
    if (bytes.length === 0) throw new Refusal(400, 'There are no bytes.');
    await storePhoto(world, token, contentType ?? '', bytes);
    return { status: 200, headers: {}, body: { stored: true } };
  };
