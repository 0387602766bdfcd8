import type { StartProcess } from '../../isolated/processClient.ts';
import { definePhotoProcess } from '../../isolated/photoProcess.ts';

export const photoReading = definePhotoProcess({
  name: 'Photos of the practice service',
  source: {
    entry: 'practice/writer/readerProcess.ts',
    thread: 'practice/writer/worker.ts',
    folders: ['practice/writer', 'isolated'],
  },
  built: { entry: 'reader.js', thread: 'readerThread.js' },
  maxBytes: 16 * 2 ** 20,
});

/** Returns a function that starts the reader process from a source checkout, with the caller's Node. */
export const createSourceReaderStarter = (root: string): StartProcess =>
  photoReading.starter(photoReading.source(root), { kind: 'node', path: process.execPath });
