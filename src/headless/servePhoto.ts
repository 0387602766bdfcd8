import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { pipeline } from 'node:stream/promises';
import type { Request, Response } from 'express';
import { photoHeaders, photoPath } from '../host/photoPath.ts';
import type { Running } from '../host/runCompanion.ts';

/** The pictures of the window. What is not there (any more) is 404 without a body. */
export const servePhoto =
  (photo: Running['photo']) =>
  async (request: Request, response: Response): Promise<void> => {
    const ref = photoPath(request.path);
    const found = ref === null ? null : await photo(ref);
    if (found === null) return void response.sendStatus(404);
    response.set(photoHeaders).type(found.contentType);
    if ('bytes' in found) return void response.send(found.bytes);
    const size = await stat(found.path).then(
      (file) => file.size,
      () => null,
    );
    if (size === null) return void response.set('Cache-Control', 'no-store').sendStatus(404);
    response.set('Content-Length', String(size));
    await pipeline(createReadStream(found.path), response).catch(() => response.destroy());
  };
