// The exports of `electron` in the main process of the stand-in.
export { app } from './parts/app.mjs';
export { BrowserWindow } from './parts/browserWindow.mjs';
export { clipboard, dialog, shell } from './parts/dialogs.mjs';
export { ipcMain } from './parts/ipcMain.mjs';
export { Menu, MenuItem } from './parts/menu.mjs';
export { nativeImage } from './parts/nativeImage.mjs';
export { crashReporter, nativeTheme, powerMonitor, screen, systemPreferences } from './parts/desktop.mjs';
export { Notification } from './parts/notification.mjs';
export { net, protocol, session } from './parts/session.mjs';
export { Tray } from './parts/tray.mjs';
export { utilityProcess } from './parts/utilityProcess.mjs';
export { WebContents as webContents } from './parts/webContents.mjs';
