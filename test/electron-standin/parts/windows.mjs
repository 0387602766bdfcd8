/** The open windows and the contents of all of them, kept apart from their classes, which need each other. */
export const windows = [];
export const contents = new Map();

/** Called when the last window has gone for good, and when one is kept that was to go; the app decides whether it ends. */
export const afterLastWindow = { run: () => {}, kept: () => {} };

/** Takes away the window whose page the browser has closed by itself. */
export const forgetTarget = (targetId) => windows.find((window) => window.webContents._targetId === targetId)?._gone();
