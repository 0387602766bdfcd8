import { EventEmitter } from 'node:events';
import { recorder } from './record.mjs';

const emitting = (name, parts) => recorder(name, Object.assign(new EventEmitter(), parts));

const display = {
  id: 1,
  bounds: { x: 0, y: 0, width: 1920, height: 1080 },
  workArea: { x: 0, y: 0, width: 1920, height: 1040 },
  workAreaSize: { width: 1920, height: 1040 },
  scaleFactor: 1,
};

export const screen = emitting('screen', {
  getPrimaryDisplay: () => display,
  getAllDisplays: () => [display],
  getDisplayMatching: () => display,
  getDisplayNearestPoint: () => display,
  getCursorScreenPoint: () => ({ x: 0, y: 0 }),
});

/** A spec emits `suspend`, `resume` and `shutdown`. */
export const powerMonitor = emitting('powerMonitor', {});

export const crashReporter = recorder('crashReporter', {});

export const nativeTheme = emitting('nativeTheme', { themeSource: 'system', shouldUseDarkColors: false });

/** Linux has no dialog for the fingerprint. */
export const systemPreferences = recorder('systemPreferences', {});
