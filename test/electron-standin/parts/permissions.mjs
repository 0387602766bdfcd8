import { chromium } from './chromium.mjs';
import { defaultSession } from './session.mjs';

/** What a page can be given from outside: by the name of the Permissions API, and by Electron's. */
const permissions = {
  geolocation: 'geolocation',
  notifications: 'notifications',
  camera: 'media',
  microphone: 'media',
  'clipboard-read': 'clipboard-read',
  'idle-detection': 'idle-detection',
  midi: 'midi',
};

/** Gives the pages of the app the permissions that its handlers grant, and denies the others. */
export const setPermissions = async (contents) => {
  for (const [name, electrons] of Object.entries(permissions)) {
    const setting = defaultSession._permits(contents, electrons) ? 'granted' : 'denied';
    await chromium.send('Browser.setPermission', { permission: { name }, setting });
  }
};
