import * as nodeModule from 'node:module';
import { parentPort, workerData } from 'node:worker_threads';
import { readerStart, readingRequest, type ReadingAnswer, type ReadingRequest } from './reading/photoReading.ts';

/**
 * The worker thread that reads photos. One request at a time: its parent sends the next one after the answer.
 * Where the parent wants the WebAssembly build of the image library, the native one is hidden from this thread;
 * the library takes the other one by itself when the native one is missing.
 */
if (readerStart.parse(workerData).wasm) {
  // Electron's Node has it; the oldest that the app runs on by itself has not, and never comes here.
  nodeModule.registerHooks({
    resolve: (specifier, context, next) => {
      if (/^@img\/sharp-linux(musl)?-/.test(specifier)) throw new Error('The native build is not used here.');
      return next(specifier, context);
    },
  });
}

// The text reader remarks on odd pictures there, which is of no use to anybody; failures are answered as such.
// Its own thread is the place: a parent that reads a thread's error output is kept alive by it.
process.stderr.write = () => true;

const read = async ({ task, path }: ReadingRequest) => {
  if (task === 'shrink') return { jpeg: await (await import('./reading/picture.ts')).shrinkPhoto(path) };
  const { readPhoto, readFullSizeBarcodes } = await import('./reading/readPhoto.ts');
  return { reading: await (task === 'read' ? readPhoto(path) : readFullSizeBarcodes(path)) };
};

const answer = async (request: ReadingRequest): Promise<ReadingAnswer> => {
  try {
    return { id: request.id, ok: true, ...(await read(request)) };
  } catch (error) {
    return { id: request.id, ok: false, why: error instanceof Error ? error.message : String(error) };
  }
};

parentPort?.on('message', (message: unknown) => {
  void answer(readingRequest.parse(message)).then((reply) => parentPort?.postMessage(reply));
});
