import { openPhotoThread } from '../isolated/photoThreads.ts';
import { releaseBytes } from '../isolated/releasableBuffer.ts';
import type { PhotoJob } from '../photoContract/messages.ts';
import { noEdits } from '../photoContract/constants.ts';
import { RefusedPhoto } from '../photoContract/refusedPhoto.ts';
import { readFullSizeBarcodes } from './barcodes.ts';
import { DoubtfulPhoto } from './decodeAndShrink.ts';
import type { DecodeTurn } from './pixels.ts';
import { makeThumbnail } from './thumbnail.ts';
import { preparePhotoUpload, preparePicture } from './prepare.ts';
import { loadSharpBuild, type Sharp } from './sharpBackend.ts';
import type { FromThread, ThreadResult, ToThread } from './threadMessages.ts';

/** The entry module of a thread that decodes photos. The thread ends at any error other than `RefusedPhoto`. */
const { port, start } = openPhotoThread();
const loading = loadSharpBuild(start);
const waiting = new Map<number, () => void>();
const postToParent = (message: FromThread): void => port.postMessage(message);

/**
 * The WebAssembly build returns pictures in shared memory, which Electron cannot send to another process, so they are
 * copied.
 */
const postThreadResult = ({ result, pictures }: ThreadResult): void => {
  const own = pictures.map((picture) => new Uint8Array(picture));
  pictures.forEach(releaseBytes);
  const message: FromThread = { type: 'result', result, pictures: own };
  port.postMessage(
    message,
    own.map(({ buffer }) => buffer),
  );
};

type JobRunner<Type extends PhotoJob['type']> = (
  sharp: Sharp,
  job: Extract<PhotoJob, { type: Type }>,
  original: Buffer,
  turn: DecodeTurn,
) => Promise<ThreadResult>;

const runPrepareJob: JobRunner<'prepare'> = async (sharp, { id, ...recipe }, original, turn) => {
  try {
    const { facts, photo, thumb } = await preparePhotoUpload(sharp, original, recipe, turn);
    return { result: { type: 'prepared', id, result: { ok: true, facts } }, pictures: [photo, thumb] };
  } catch (error) {
    if (!(error instanceof RefusedPhoto)) throw error;
    return { result: { type: 'prepared', id, result: { ok: false, code: error.code } }, pictures: [] };
  }
};

const runPictureJob: JobRunner<'picture'> = async (sharp, { id, longEdgePx, format }, original, turn) => {
  try {
    const recipe = { longEdgePx, format, edits: noEdits };
    const { width, height, photo } = await preparePicture(sharp, original, recipe, turn);
    return { result: { type: 'picture', id, result: { ok: true, width, height } }, pictures: [photo] };
  } catch (error) {
    if (!(error instanceof RefusedPhoto)) throw error;
    return { result: { type: 'picture', id, result: { ok: false, code: error.code } }, pictures: [] };
  }
};

const runThumbnailJob: JobRunner<'thumbnail'> = async (sharp, { id, isWhole }, original) => {
  const seen = await makeThumbnail(sharp, original, isWhole);
  const result = seen === null ? 'none' : seen === 'whole' ? 'whole' : 'made';
  return { result: { type: 'thumbnail', id, result }, pictures: seen instanceof Buffer ? [seen] : [] };
};

const runBarcodesJob: JobRunner<'barcodes'> = async (sharp, { id }, original, turn) => ({
  result: { type: 'barcodes', id, result: await readFullSizeBarcodes(sharp, original, turn) },
  pictures: [],
});

const runPhotoJob = async (job: PhotoJob, original: Buffer, isAlone: boolean): Promise<ThreadResult> => {
  const sharp = await loading;
  const admit: DecodeTurn['admit'] = (pixels) =>
    new Promise((resolve) => {
      waiting.set(job.id, resolve);
      postToParent({ type: 'weight', id: job.id, pixels });
    });
  const turn = { admit, isAlone };
  if (job.type === 'thumbnail') return runThumbnailJob(sharp, job, original, turn);
  if (job.type === 'barcodes') return runBarcodesJob(sharp, job, original, turn);
  if (job.type === 'picture') return runPictureJob(sharp, job, original, turn);
  return runPrepareJob(sharp, job, original, turn);
};

port.on('message', (message: ToThread) => {
  if (message.type === 'go') {
    waiting.get(message.id)?.();
    waiting.delete(message.id);
    return;
  }
  const { job, original, isAlone } = message;
  runPhotoJob(job, Buffer.from(original.buffer, original.byteOffset, original.byteLength), isAlone)
    .then((made) => {
      releaseBytes(original);
      postThreadResult(made);
    })
    .catch((error: unknown) => {
      if (error instanceof DoubtfulPhoto) {
        const returned: FromThread = { type: 'returned', id: job.id, original };
        return port.postMessage(returned, [original.buffer]);
      }
      // The error is thrown outside the promise, so that the thread ends and the process gets the error.
      setImmediate(() => {
        throw error;
      });
    });
});
