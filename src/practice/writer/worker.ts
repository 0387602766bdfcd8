import * as nodeModule from 'node:module';
import { parentPort, workerData } from 'node:worker_threads';
import { threadStart, toThread, type FromThread, type ToThread } from './reading/photoReading.ts';

/**
 * A thread that reads photos, in the process that does nothing else. One at a time: it is asked the next one after the
 * answer. Where the process is one of Electron on Linux the native build of the image library is hidden from it; the
 * library then takes its WebAssembly build by itself.
 */
const port = parentPort;
if (!port) throw new Error('This file runs as a worker thread only.');

if (threadStart.parse(workerData).wasm) {
  // Electron's Node has it; the oldest that the app runs on by itself has not, and never comes here.
  nodeModule.registerHooks({
    resolve: (specifier, context, next) => {
      if (/^@img\/sharp-linux(musl)?-/.test(specifier)) throw new Error('The native build is not used here.');
      return next(specifier, context);
    },
  });
}

const read = async ({ id, task, original }: ToThread): Promise<FromThread> => {
  if (task === 'shrink') {
    const { shrinkPhoto } = await import('./reading/picture.ts');
    return { answer: { type: 'shrunk', id }, parts: [await shrinkPhoto(original)] };
  }
  const { readPhoto, readFullSizeBarcodes } = await import('./reading/readPhoto.ts');
  const reading = await (task === 'read' ? readPhoto(original) : readFullSizeBarcodes(original));
  return { answer: { type: 'seen', id, reading }, parts: [] };
};

const answer = async (asked: ToThread): Promise<FromThread> => {
  try {
    return await read(asked);
  } catch {
    return { answer: { type: 'unreadable', id: asked.id }, parts: [] };
  }
};

port.on('message', (message: unknown) => {
  void answer(toThread.parse(message)).then((reply) => port.postMessage(reply));
});
