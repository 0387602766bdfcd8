// Loaded before everything else: what runs here calls itself Electron. Its main thread does; that its worker threads do is
// not said anywhere, and in older versions they do not.
import { isMainThread } from 'node:worker_threads';

/** The version of Electron that is stood in for. */
export const version = '45.4.1';

if (isMainThread) {
  Object.defineProperty(process, 'versions', {
    value: Object.freeze({ ...process.versions, electron: version, chrome: '0' }),
  });
}
