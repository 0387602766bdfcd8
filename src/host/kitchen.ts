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
  // The limit for the pictures in one answer; real answers are far smaller.
  maxBytes: 256 * 2 ** 20,
});

const createNodeStarter = ({ starter, built, source }: typeof kitchen): StartProcess =>
  starter(isBuilt ? built(codeRoot) : source(codeRoot), { kind: 'node', path: process.execPath });

/** Returns what starts the kitchen with this Node, from the sources or the bundles. */
export const createKitchenStarter = (): StartProcess => createNodeStarter(kitchen);

/**
 * Starts the kitchen immediately, for a caller that is sure to need it. The first caller receives the started process.
 */
export const startKitchenAhead = (start = createKitchenStarter()): StartProcess => {
  // The process sends nothing before its first request.
  let forwardMessage: Parameters<StartProcess>[0] = () => undefined;
  let ahead: ReturnType<StartProcess> | null = start((message) => forwardMessage(message));
  // The caller that requests the process receives the error.
  ahead.catch(() => undefined);
  return (onMessage) => {
    if (ahead === null) return start(onMessage);
    forwardMessage = onMessage;
    const first = ahead;
    ahead = null;
    return first;
  };
};

/** Returns what starts the process in which the practice service reads photos. */
export const createReaderStarter = (): StartProcess => createNodeStarter(photoReading);
