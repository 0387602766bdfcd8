import * as nodeModule from 'node:module';
import { parentPort, workerData } from 'node:worker_threads';
import * as z from 'zod';
import type { Message } from '../../isolated/frames.ts';
import { toThread, type FromReader, type ToThread } from './reading/photoReading.ts';

const port = parentPort;
if (!port) throw new Error('This file runs as a worker thread only.');

if (z.object({ wasm: z.boolean() }).parse(workerData).wasm) {
  // In Electron on Linux, the native build of the image library would crash the process. This hook refuses to load it,
  // so the library loads its WebAssembly build. The oldest supported Node lacks `registerHooks`, but this branch runs
  // only in Electron.
  nodeModule.registerHooks({
    resolve: (specifier, context, next) => {
      if (/^@img\/sharp-linux(musl)?-/.test(specifier)) throw new Error('The native build is not used here.');
      return next(specifier, context);
    },
  });
}

const runTask = async ({ id, task, original }: ToThread): Promise<Message & { head: FromReader }> => {
  if (task === 'shrink') {
    const { shrinkPhoto } = await import('./reading/picture.ts');
    return { head: { type: 'shrunk', id }, parts: [await shrinkPhoto(original)] };
  }
  const { readPhoto, readFullSizeBarcodes } = await import('./reading/readPhoto.ts');
  const reading = await (task === 'read' ? readPhoto(original) : readFullSizeBarcodes(original));
  return { head: { type: 'seen', id, reading }, parts: [] };
};

port.on('message', (message: unknown) => {
  const job = toThread.parse(message);
  const unreadable: Message = { head: { type: 'unreadable', id: job.id }, parts: [] };
  void runTask(job).then(
    (answer) => port.postMessage(answer),
    () => port.postMessage(unreadable),
  );
});
