import * as nodeModule from 'node:module';
import { parentPort, workerData } from 'node:worker_threads';
import { threadStart, toThread, type FromThread, type ToThread } from './reading/photoReading.ts';

const port = parentPort;
if (!port) throw new Error('This file runs as a worker thread only.');

if (threadStart.parse(workerData).wasm) {
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

const runTask = async ({ id, task, original }: ToThread): Promise<FromThread> => {
  if (task === 'shrink') {
    const { shrinkPhoto } = await import('./reading/picture.ts');
    return { answer: { type: 'shrunk', id }, parts: [await shrinkPhoto(original)] };
  }
  const { readPhoto, readFullSizeBarcodes } = await import('./reading/readPhoto.ts');
  const reading = await (task === 'read' ? readPhoto(original) : readFullSizeBarcodes(original));
  return { answer: { type: 'seen', id, reading }, parts: [] };
};

const answerJob = async (job: ToThread): Promise<FromThread> => {
  try {
    return await runTask(job);
  } catch {
    return { answer: { type: 'unreadable', id: job.id }, parts: [] };
  }
};

port.on('message', (message: unknown) => {
  void answerJob(toThread.parse(message)).then((reply) => port.postMessage(reply));
});
