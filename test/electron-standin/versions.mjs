// Loaded first: identifies the main thread as Electron. Electron does not document how worker threads identify, and in
// older versions they do not.
import { isMainThread } from 'node:worker_threads';

/** The version of Electron that the stand-in imitates. */
export const version = '45.4.1';

if (isMainThread) {
  Object.defineProperty(process, 'versions', {
    value: Object.freeze({ ...process.versions, electron: version, chrome: '0' }),
  });
}
