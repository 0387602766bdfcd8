import { toChromium } from './addresses.mjs';
import { chromium } from './chromium.mjs';
import { defaultSession } from './session.mjs';

/** What a page can be given: as the devtools protocol names it, and as Electron does. */
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
 * Gives the page at an address the permissions that the app's handlers grant it, and denies the others. They are asked
 * before the page is there, as the devtools protocol cannot ask when it wants something.
 */
export const setPermissions = async (contents, address) => {
  // A file has no origin of its own that Chromium would remember a permission for.
  if (/^(file|data|about):/.test(address)) return;
  const { origin } = new URL(toChromium(address));
  await Promise.all(
    permissions.map(([permission, electrons]) => {
      const setting = defaultSession._permits(contents, electrons, address) ? 'granted' : 'denied';
      return chromium.send('Browser.setPermission', { permission, setting, origin });
    }),
  );
};
