import { parentPort, workerData } from 'node:worker_threads';
import { release } from '../isolated/releasableBuffer.ts';
import type { KitchenJob } from '../photoContract/messages.ts';
import { noEdits } from '../photoContract/constants.ts';
import { RefusedPhoto } from '../photoContract/refusedPhoto.ts';
import { fullSizeBarcodes } from './barcodes.ts';
import { makeThumbnail } from './thumbnail.ts';
import { prepare, preparePicture } from './prepare.ts';
import { loadSharp, type Sharp } from './sharpBackend.ts';
import type { FromThread, Made, ThreadStart, ToThread } from './threadMessages.ts';

/** A thread that decodes photos, one at a time. An error that is not the photo's fault ends the thread. */
const port = parentPort;
if (!port) throw new Error('This file runs as a worker thread only.');

const loading = loadSharp(workerData as ThreadStart);
const waiting = new Map<number, () => void>();
const send = (message: FromThread): void => port.postMessage(message);

/**
 * Posts a result. The WebAssembly build returns pictures in shared memory that is reused and that Electron cannot pass
 * to another process, so each picture is copied.
 */
const sendMade = ({ result, pictures }: Made): void => {
  const own = pictures.map((picture) => new Uint8Array(picture));
  pictures.forEach(release);
  const message: FromThread = { type: 'result', result, pictures: own };
  port.postMessage(
    message,
    own.map(({ buffer }) => buffer),
  );
};

type Admit = (pixels: number) => Promise<void>;
type Work<Type extends KitchenJob['type']> = (
  sharp: Sharp,
  job: Extract<KitchenJob, { type: Type }>,
  original: Buffer,
  admit: Admit,
) => Promise<Made>;

const toPrepare: Work<'prepare'> = async (sharp, { id, ...recipe }, original, admit) => {
  try {
    const { facts, photo, thumb } = await prepare(sharp, original, recipe, admit);
    return { result: { type: 'prepared', id, result: { ok: true, facts } }, pictures: [photo, thumb] };
  } catch (error) {
    if (!(error instanceof RefusedPhoto)) throw error;
    return { result: { type: 'prepared', id, result: { ok: false, code: error.code } }, pictures: [] };
  }
};

const toPicture: Work<'picture'> = async (sharp, { id, longEdgePx, format }, original, admit) => {
  try {
    const recipe = { longEdgePx, format, edits: noEdits };
    const { width, height, photo } = await preparePicture(sharp, original, recipe, admit);
    return { result: { type: 'picture', id, result: { ok: true, width, height } }, pictures: [photo] };
  } catch (error) {
    if (!(error instanceof RefusedPhoto)) throw error;
    return { result: { type: 'picture', id, result: { ok: false, code: error.code } }, pictures: [] };
  }
};

const toThumbnail: Work<'thumbnail'> = async (sharp, { id, isWhole }, original) => {
  const seen = await makeThumbnail(sharp, original, isWhole);
  const result = seen === null ? 'none' : seen === 'whole' ? 'whole' : 'made';
  return { result: { type: 'thumbnail', id, result }, pictures: seen instanceof Buffer ? [seen] : [] };
};

const toBarcodes: Work<'barcodes'> = async (sharp, { id }, original, admit) => ({
  result: { type: 'barcodes', id, result: await fullSizeBarcodes(sharp, original, admit) },
  pictures: [],
});

const work = async (job: KitchenJob, original: Buffer): Promise<Made> => {
  const sharp = await loading;
  const admit: Admit = (pixels) =>
    new Promise((resolve) => {
      waiting.set(job.id, resolve);
      send({ type: 'weight', id: job.id, pixels });
    });
  if (job.type === 'thumbnail') return toThumbnail(sharp, job, original, admit);
  if (job.type === 'barcodes') return toBarcodes(sharp, job, original, admit);
  if (job.type === 'picture') return toPicture(sharp, job, original, admit);
  return toPrepare(sharp, job, original, admit);
};

port.on('message', (message: ToThread) => {
  if (message.type === 'go') {
    waiting.get(message.id)?.();
    waiting.delete(message.id);
    return;
  }
  const { buffer, byteOffset, byteLength } = message.original;
  work(message.job, Buffer.from(buffer, byteOffset, byteLength))
    .finally(() => release(message.original))
    .then(sendMade, (error: unknown) => {
      // Thrown outside the promise, so that the thread ends and the process receives the error.
      setImmediate(() => {
        throw error;
      });
    });
});
