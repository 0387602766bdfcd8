import { app, Menu, type WebContents } from 'electron';
import type { HostWords } from '../../host/words.ts';
import type { MainWindow } from '../showWindow.ts';
import { menuTable, type MenuAct, type MenuKey } from './menuTable.ts';
import { menuTemplate } from './menuTemplate.ts';

const pressIn = (contents: WebContents, { key, withControl }: MenuKey): void => {
  const control = process.platform === 'darwin' ? ('meta' as const) : ('control' as const);
  const modifiers = withControl ? [control] : [];
  for (const type of ['keyDown', 'keyUp'] as const) contents.sendInputEvent({ type, keyCode: key, modifiers });
};

/** Gives the app its menus, in the language that is spoken, and anew when that changes. A line that needs the window opens it. */
export const setMenu = (main: MainWindow, words: HostWords, act: (act: MenuAct) => void): void => {
  const press = (key: MenuKey): void => {
    main.show();
    const contents = main.current()?.webContents;
    if (contents === undefined) return;
    if (contents.isLoading()) contents.once('did-finish-load', () => pressIn(contents, key));
    else pressIn(contents, key);
  };
  const set = (): void => {
    const columns = menuTable({ platform: process.platform, packaged: app.isPackaged }, words.say);
    Menu.setApplicationMenu(Menu.buildFromTemplate(menuTemplate(columns, { go: main.show, act, press })));
  };
  set();
  words.onTurned(set);
};
