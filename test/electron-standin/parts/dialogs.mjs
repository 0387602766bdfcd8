import { record } from './record.mjs';

/** Answers as if the person cancelled; a spec that needs another answer replaces the function. */
const cancelled =
  (what, answer) =>
  async (...args) => {
    record(what, args.at(-1));
    return answer(args.at(-1));
  };

export const dialog = {
  showOpenDialog: cancelled('dialog.showOpenDialog', () => ({ canceled: true, filePaths: [] })),
  showSaveDialog: cancelled('dialog.showSaveDialog', () => ({ canceled: true, filePath: '' })),
  showMessageBox: cancelled('dialog.showMessageBox', (options) => ({
    response: options?.cancelId ?? 0,
    checkboxChecked: false,
  })),
  showErrorBox: (title, content) => {
    record('dialog.showErrorBox', title, content);
    console.error(`[error box] ${title}: ${content}`);
  },
};

export const shell = {
  openExternal: async (url) => record('shell.openExternal', url),
  openPath: async (path) => {
    record('shell.openPath', path);
    return '';
  },
  showItemInFolder: (path) => record('shell.showItemInFolder', path),
  beep: () => {},
};

let copied = '';
/** A clipboard apart from the system's, so that tests do not affect other programs. */
export const clipboard = {
  readText: async () => copied,
  writeText: async (text) => {
    copied = text;
  },
  clear: () => {
    copied = '';
  },
};
