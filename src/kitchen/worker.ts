import { openPhotoThread } from '../isolated/photoThreads.ts';
import { releaseBytes } from '../isolated/releasableBuffer.ts';
import type { PhotoJob } from '../photoContract/messages.ts';
import { noEdits } from '../photoContract/constants.ts';
import { RefusedPhoto } from '../photoContract/refusedPhoto.ts';
import { readFullSizeBarcodes } from './barcodes.ts';
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

type Admit = (pixels: number) => Promise<void>;
type JobRunner<Type extends PhotoJob['type']> = (
  sharp: Sharp,
  job: Extract<PhotoJob, { type: Type }>,
  original: Buffer,
  admit: Admit,
) => Promise<ThreadResult>;

const runPrepareJob: JobRunner<'prepare'> = async (sharp, { id, ...recipe }, original, admit) => {
  try {
    const { facts, photo, thumb } = await preparePhotoUpload(sharp, original, recipe, admit);
    return { result: { type: 'prepared', id, result: { ok: true, facts } }, pictures: [photo, thumb] };
  } catch (error) {
    if (!(error instanceof RefusedPhoto)) throw error;
    return { result: { type: 'prepared', id, result: { ok: false, code: error.code } }, pictures: [] };
  }
};

const runPictureJob: JobRunner<'picture'> = async (sharp, { id, longEdgePx, format }, original, admit) => {
  try {
    const recipe = { longEdgePx, format, edits: noEdits };
    const { width, height, photo } = await preparePicture(sharp, original, recipe, admit);
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

const runBarcodesJob: JobRunner<'barcodes'> = async (sharp, { id }, original, admit) => ({
  result: { type: 'barcodes', id, result: await readFullSizeBarcodes(sharp, original, admit) },
  pictures: [],
});

const runPhotoJob = async (job: PhotoJob, original: Buffer): Promise<ThreadResult> => {
  const sharp = await loading;
  const requestDecoding: Admit = (pixels) =>
    new Promise((resolve) => {
      waiting.set(job.id, resolve);
      postToParent({ type: 'weight', id: job.id, pixels });
    });
  if (job.type === 'thumbnail') return runThumbnailJob(sharp, job, original, requestDecoding);
  if (job.type === 'barcodes') return runBarcodesJob(sharp, job, original, requestDecoding);
  if (job.type === 'picture') return runPictureJob(sharp, job, original, requestDecoding);
  return runPrepareJob(sharp, job, original, requestDecoding);
};

port.on('message', (message: ToThread) => {
  if (message.type === 'go') {
    waiting.get(message.id)?.();
    waiting.delete(message.id);
    return;
  }
  const { buffer, byteOffset, byteLength } = message.original;
  runPhotoJob(message.job, Buffer.from(buffer, byteOffset, byteLength))
    .finally(() => releaseBytes(message.original))
    .then(postThreadResult, (error: unknown) => {
      // The error is thrown outside the promise, so that the thread ends and the process gets the error.
      setImmediate(() => {
        throw error;
      });
    });
});
