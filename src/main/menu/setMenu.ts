import { app, dialog, Menu, type WebContents } from 'electron';
import { writeFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { toProblemView } from '../../core/base/problem.ts';
import type { RunningCompanion } from '../../host/runCompanion.ts';
import type { HostTranslator } from '../../host/hostTranslator.ts';
import { type MenuAction, createMenuTable, type MenuKey, createMenuTemplate } from './menuTable.ts';
import { requireCommandPath, createCommandText, installCommand } from '../system/installCommand.ts';
import type { MainWindow } from '../window/createMainWindow.ts';
import { getAppStartCommand } from '../system/getAppStartCommand.ts';

type MenuActionsContext = {
  running: () => Promise<RunningCompanion>;
  add: (paths: string[]) => Promise<void>;
  checkForUpdates: () => Promise<void>;
  /** Pauses or resumes all work, if needed with a ceremony. */
  setPaused: (paused: boolean) => Promise<void>;
  translator: HostTranslator;
};

export const createMenuActions = ({
  running,
  add,
  checkForUpdates,
  setPaused,
  translator: { format, translate },
}: MenuActionsContext): ((act: MenuAction) => void) => {
  const acts: Record<MenuAction, () => Promise<void>> = {
    addPhotos: async () => {
      const { filePaths } = await dialog.showOpenDialog({
        title: format('shell.addTitle'),
        buttonLabel: format('shell.addButton'),
        properties: ['openDirectory', 'multiSelections'],
      });
      if (filePaths.length > 0) await add(filePaths);
    },
    pause: async () => {
      const { handlers } = await running();
      const { paused } = await handlers['app.state']({});
      await setPaused(!paused);
    },
    showLogs: async () => void (await (await running()).handlers['app.showLogs']({})),
    saveDiagnostics: async () => {
      const { name, text } = await (await running()).handlers['app.diagnostics']({});
      const defaultPath = join(app.getPath('documents'), name);
      const { filePath } = await dialog.showSaveDialog({ title: format('shell.saveDiagnosticsTitle'), defaultPath });
      if (filePath) await writeFile(filePath, text, { mode: 0o600 });
    },
    installCommand: async () => {
      const place = requireCommandPath({ platform: process.platform, env: process.env, home: homedir() });
      const { response } = await dialog.showMessageBox({
        message: format('shell.installCommandAsk'),
        detail: format('shell.installCommandText', { file: place }),
        buttons: [format('shell.updateInstall'), format('shell.notNow')],
        defaultId: 0,
        cancelId: 1,
      });
      if (response === 0) installCommand(place, createCommandText(process, getAppStartCommand()));
    },
    checkForUpdates,
  };
  return (act) =>
    void acts[act]().catch((error: unknown) => {
      const { says, sentence } = toProblemView(error);
      return dialog.showMessageBox({ message: translate(says, sentence) });
    });
};

const sendMenuKey = (contents: WebContents, { key, withControl }: MenuKey): void => {
  const control = process.platform === 'darwin' ? ('meta' as const) : ('control' as const);
  const modifiers = withControl ? [control] : [];
  for (const type of ['keyDown', 'keyUp'] as const) contents.sendInputEvent({ type, keyCode: key, modifiers });
};

export const setAppMenu = (main: MainWindow, translator: HostTranslator, act: (act: MenuAction) => void): void => {
  const press = (key: MenuKey): void => {
    main.show();
    const contents = main.current()?.webContents;
    if (contents === undefined) return;
    if (contents.isLoading()) contents.once('did-finish-load', () => sendMenuKey(contents, key));
    else sendMenuKey(contents, key);
  };
  const applyMenu = (): void => {
    const columns = createMenuTable({ platform: process.platform, packaged: app.isPackaged }, translator.format);
    Menu.setApplicationMenu(Menu.buildFromTemplate(createMenuTemplate(columns, { go: main.show, act, press })));
  };
  applyMenu();
  translator.onLanguageChanged(applyMenu);
};
