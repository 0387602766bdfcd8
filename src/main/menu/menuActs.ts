import { app, dialog } from 'electron';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { problemView } from '../../core/base/problem.ts';
import type { Running } from '../../host/runCompanion.ts';
import type { HostWords } from '../../host/words.ts';
import type { MenuAct } from './menuTable.ts';

type MenuActsContext = {
  running: () => Promise<Running>;
  /** Takes photos and folders in, and shows them. */
  add: (paths: string[]) => Promise<void>;
  checkForUpdates: () => Promise<void>;
  words: HostWords;
};

/** What the lines of the menu do. What fails is said in a sentence. */
export const menuActs = ({
  running,
  add,
  checkForUpdates,
  words: { say, translate },
}: MenuActsContext): ((act: MenuAct) => void) => {
  const acts: Record<MenuAct, () => Promise<void>> = {
    addPhotos: async () => {
      const { filePaths } = await dialog.showOpenDialog({
        title: say('shell.addTitle'),
        buttonLabel: say('shell.addButton'),
        properties: ['openDirectory', 'multiSelections'],
      });
      if (filePaths.length > 0) await add(filePaths);
    },
    pause: async () => {
      const { handlers } = await running();
      const { paused } = await handlers['app.state']({});
      await handlers['app.pause']({ paused: !paused });
    },
    showLogs: async () => void (await (await running()).handlers['app.showLogs']({})),
    saveDiagnostics: async () => {
      const { name, text } = await (await running()).handlers['app.diagnostics']({});
      const defaultPath = join(app.getPath('documents'), name);
      const { filePath } = await dialog.showSaveDialog({ title: say('shell.saveDiagnosticsTitle'), defaultPath });
      if (filePath) await writeFile(filePath, text, { mode: 0o600 });
    },
    checkForUpdates,
  };
  return (act) =>
    void acts[act]().catch((error: unknown) => {
      const { says, sentence } = problemView(error);
      return dialog.showMessageBox({ message: translate(says, sentence) });
    });
};
