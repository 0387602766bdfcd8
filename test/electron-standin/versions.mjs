// Loaded before everything else, in worker threads too: what runs here calls itself Electron.

/** The version of Electron that is stood in for. */
export const version = '45.4.1';

Object.defineProperty(process, 'versions', {
  value: Object.freeze({ ...process.versions, electron: version, chrome: '0' }),
});
