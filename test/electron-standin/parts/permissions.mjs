import { toChromium } from './addresses.mjs';
import { chromium } from './chromium.mjs';
import { defaultSession } from './session.mjs';

/** Permissions by their names in the devtools protocol and in Electron. */
const permissions = [
  [{ name: 'geolocation' }, 'geolocation'],
  [{ name: 'notifications' }, 'notifications'],
  [{ name: 'camera' }, 'media'],
  [{ name: 'microphone' }, 'media'],
  [{ name: 'clipboard-read' }, 'clipboard-read'],
  [{ name: 'clipboard-write' }, 'clipboard-sanitized-write'],
  [{ name: 'idle-detection' }, 'idle-detection'],
  [{ name: 'midi' }, 'midi'],
];

/**
 * Grants a page the permissions that the app's handlers allow, and denies all others. The handlers are called before
 * the page loads, because the devtools protocol cannot ask later.
 */
export const setPermissions = async (contents, address) => {
  // A file has no origin for which Chromium could store a permission.
  if (/^(file|data|about):/.test(address)) return;
  const { origin } = new URL(toChromium(address));
  await Promise.all(
    permissions.map(([permission, electrons]) => {
      const setting = defaultSession._permits(contents, electrons, address) ? 'granted' : 'denied';
      return chromium.send('Browser.setPermission', { permission, setting, origin });
    }),
  );
};
