/** The open windows and their contents, in a separate module because their classes depend on each other. */
export const windows = [];
export const contents = new Map();

/**
 * `run` is called after the last window has closed, and `kept` if a closing window was kept open; the app decides
 * whether it quits.
 */
export const afterLastWindow = { run: () => {}, kept: () => {} };

/** Removes the window whose page the browser closed. */
export const forgetTarget = (targetId) => windows.find((window) => window.webContents._targetId === targetId)?._gone();
