import { blockNativeSharp, openPhotoThread } from '../../isolated/photoThreads.ts';
import type { FromThread, ToThread } from './reading/photoReading.ts';

const { port, start } = openPhotoThread();
if (start.wasm) blockNativeSharp();

const runTask = async ({ id, task, original }: ToThread): Promise<FromThread> => {
  if (task === 'shrink') {
    const { shrinkPhoto } = await import('./reading/picture.ts');
    return { head: { type: 'done', id }, parts: [await shrinkPhoto(original)] };
  }
  const { readPhoto, readFullSizeBarcodes } = await import('./reading/readPhoto.ts');
  const reading = await (task === 'read' ? readPhoto(original) : readFullSizeBarcodes(original));
  return { head: { type: 'done', id, reading }, parts: [] };
};

port.on('message', (job: ToThread) => {
  const unreadable: FromThread = { head: { type: 'done', id: job.id }, parts: [] };
  void runTask(job)
    .catch(() => unreadable)
    .then((answer) => port.postMessage(answer));
});
