import { definePhotoProcess } from '../isolated/photoProcess.ts';
import type { StartProcess } from '../isolated/processClient.ts';
import { photoReading } from '../practice/writer/startReader.ts';
import { codeRoot, isBuilt } from './codeFiles.ts';

export const kitchen = definePhotoProcess({
  name: 'Photos',
  source: {
    entry: 'kitchen/index.ts',
    thread: 'kitchen/worker.ts',
    folders: ['kitchen', 'isolated', 'photoContract'],
  },
  built: { entry: 'kitchen.js', thread: 'kitchenThread.js' },
  maxBytes: 256 * 2 ** 20,
});

const createNodeStarter = ({ starter, built, source }: typeof kitchen): StartProcess =>
  starter(isBuilt ? built(codeRoot) : source(codeRoot), { kind: 'node', path: process.execPath });

export const createKitchenStarter = (): StartProcess => createNodeStarter(kitchen);

/** Starts the photo process before it is requested. The first caller of the returned function receives this process. */
export const startKitchenAhead = (start = createKitchenStarter()): StartProcess => {
  let forwardMessage: Parameters<StartProcess>[0] = () => undefined;
  let ahead: ReturnType<StartProcess> | null = start((message) => forwardMessage(message));
  // The caller that requests the process handles the error.
  ahead.catch(() => undefined);
  return (onMessage) => {
    if (ahead === null) return start(onMessage);
    forwardMessage = onMessage;
    const first = ahead;
    ahead = null;
    return first;
  };
};

export const createReaderStarter = (): StartProcess => createNodeStarter(photoReading);
