import type { Request, Response } from 'express';
import { Transform } from 'node:stream';
import { createProblem, toProblemView, type Problem } from '../core/base/problem.ts';
import type { ExportedFile } from '../core/companion/dataTasks/fileExports.ts';
import type { RunningCompanion } from '../host/runCompanion.ts';
import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { pipeline } from 'node:stream/promises';
import { photoHeaders, parsePhotoPath } from '../host/photoPath.ts';
import { answerAndClose } from '../loopback/http.ts';

/** The bytes are streamed to disk, so a large scan needs little memory. */
export const maxUploadBytes = 250 * 1024 * 1024;

const createTooLargeProblem = (): Problem => createProblem('TOO_LARGE');

const limitUploadBytes = (): Transform => {
  let seen = 0;
  return new Transform({
    transform(chunk: Buffer, _encoding, done) {
      seen += chunk.length;
      if (seen > maxUploadBytes) done(createTooLargeProblem());
      else done(null, chunk);
    },
  });
};

/** Receives the bytes of one photo. The answer contains the upload id, which `items.add` needs. */
export const createUploadRoute =
  (receivePhoto: RunningCompanion['receivePhoto']) =>
  async (request: Request, response: Response): Promise<void> => {
    const sendUploadRefusal = (error: unknown): void => {
      const { code, sentence } = toProblemView(error);
      response.status(code === 'TOO_LARGE' ? 413 : 400).type('json');
      const text = JSON.stringify({ error: sentence, code });
      if (request.complete) response.send(text);
      else answerAndClose(response, text);
    };
    if (Number(request.headers['content-length'] ?? 0) > maxUploadBytes)
      return sendUploadRefusal(createTooLargeProblem());
    const bytes = limitUploadBytes();
    // If the upload aborts before the stream has a reader, ignore the error.
    bytes.on('error', () => undefined);
    request.once('close', () => {
      if (!request.complete) bytes.destroy(createProblem('BROKEN_OFF'));
    });
    request.pipe(bytes);
    try {
      response.json(await receivePhoto(bytes));
    } catch (error) {
      request.unpipe(bytes);
      bytes.destroy();
      // Node destroys a request after reading it, so only the response shows whether the window still waits.
      if (!response.headersSent && !response.destroyed) sendUploadRefusal(error);
    }
  };

/** A broken download starts again, because only a whole download removes the file. */
const exportOptions = {
  cacheControl: false,
  dotfiles: 'allow',
  acceptRanges: false,
  etag: false,
  lastModified: false,
} as const;

/** Streams an exported file, which the browser saves. */
export const createExportRoute =
  (findExport: (exportId: string) => Promise<ExportedFile | null>) =>
  async (request: Request<{ exportId?: string }>, response: Response): Promise<void> => {
    const found = await findExport(request.params.exportId ?? '');
    if (found === null) return void response.sendStatus(404);
    response.set('Cache-Control', 'no-store').download(found.path, found.name, exportOptions, (error) => {
      if (error && !response.headersSent) response.sendStatus(404);
      if (!error && request.method === 'GET') found.remove();
    });
  };

export const createPhotoRoute =
  (photo: RunningCompanion['photo']) =>
  async (request: Request, response: Response): Promise<void> => {
    const ref = parsePhotoPath(request.path);
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
