import type { MenuItemConstructorOptions } from 'electron';
import type { FormatMessage } from '../../host/hostTranslator.ts';
import { screenDefinitions, screenIds, type ScreenId } from '../../ipc/screens.ts';

/** What a line of the menu has the shell do. */
export type MenuAction = 'addPhotos' | 'pause' | 'showLogs' | 'saveDiagnostics' | 'checkForUpdates';

/** A key of the window's own, which the menu presses for the person. */
export type MenuKey = { key: string; withControl: boolean };

type Role = NonNullable<MenuItemConstructorOptions['role']>;
type Named = { id: string; label: string; accelerator?: string };

export type MenuLine =
  | 'line'
  | { role: Role; label: string }
  | (Named & { go: string })
  | (Named & { act: MenuAction })
  | (Named & { press: MenuKey });

export type MenuColumn = { id: string; label: string; lines: readonly MenuLine[] };

type System = { platform: NodeJS.Platform; packaged: boolean };

/** The line that leads to a screen. */
const screenLine = (say: FormatMessage, screen: ScreenId, id: string = screen): MenuLine => {
  const { path, menuText, accelerator } = screenDefinitions[screen];
  return { id, label: say(menuText), ...(accelerator === null ? {} : { accelerator }), go: path };
};
const about = (say: FormatMessage): MenuLine => ({ role: 'about', label: say('shell.about') });
const bare = (label: string): string => label.replaceAll('&', '');

const appColumn = (say: FormatMessage): MenuColumn => ({
  id: 'app',
  label: 'Listing Companion',
  lines: [
    about(say),
    'line',
    screenLine(say, 'settings'),
    'line',
    { role: 'services', label: say('shell.services') },
    'line',
    { role: 'hide', label: say('shell.hide') },
    { role: 'hideOthers', label: say('shell.hideOthers') },
    { role: 'unhide', label: say('shell.unhide') },
    'line',
    { role: 'quit', label: bare(say('shell.quit')) },
  ],
});

const file = (say: FormatMessage, isMac: boolean): MenuColumn => ({
  id: 'file',
  label: say('shell.file'),
  lines: [
    { id: 'addPhotos', label: say('shell.addPhotos'), accelerator: 'CmdOrCtrl+O', act: 'addPhotos' },
    { id: 'pause', label: say('shell.pauseOrGoOn'), act: 'pause' },
    'line',
    ...(isMac ? [] : [screenLine(say, 'settings'), 'line' as const]),
    { role: 'close', label: say('shell.closeWindow') },
    ...(isMac ? [] : [{ role: 'quit' as const, label: say('shell.quit') }]),
  ],
});

const edit = (say: FormatMessage): MenuColumn => ({
  id: 'edit',
  label: say('shell.edit'),
  lines: [
    { role: 'undo', label: say('shell.undo') },
    { role: 'redo', label: say('shell.redo') },
    'line',
    { role: 'cut', label: say('shell.cut') },
    { role: 'copy', label: say('shell.copy') },
    { role: 'paste', label: say('shell.paste') },
    { role: 'delete', label: say('shell.delete') },
    { role: 'selectAll', label: say('shell.selectAll') },
    'line',
    { id: 'find', label: say('shell.find'), accelerator: 'CmdOrCtrl+K', press: { key: 'k', withControl: true } },
  ],
});

const view = (say: FormatMessage, packaged: boolean): MenuColumn => ({
  id: 'view',
  label: say('shell.view'),
  lines: [
    ...screenIds.filter((id) => screenDefinitions[id].menu === 'view').map((id) => screenLine(say, id)),
    'line',
    { role: 'resetZoom', label: say('shell.actualSize') },
    { role: 'zoomIn', label: say('shell.larger') },
    { role: 'zoomOut', label: say('shell.smaller') },
    'line',
    { role: 'togglefullscreen', label: say('shell.fullScreen') },
    ...(packaged ? [] : [{ role: 'toggleDevTools' as const, label: say('shell.developer') }]),
  ],
});

const macWindow = (say: FormatMessage): MenuLine[] => [
  { role: 'zoom', label: say('shell.zoom') },
  { role: 'front', label: say('shell.front') },
];

const window = (say: FormatMessage, isMac: boolean): MenuColumn => ({
  id: 'window',
  label: say('shell.window'),
  lines: [{ role: 'minimize', label: say('shell.minimize') }, ...(isMac ? macWindow(say) : [])],
});

const help = (say: FormatMessage, isMac: boolean): MenuColumn => ({
  id: 'help',
  label: say('shell.help'),
  lines: [
    screenLine(say, 'help', 'guide'),
    { id: 'keys', label: say('shell.keys'), press: { key: '?', withControl: false } },
    'line',
    { id: 'backups', label: say('shell.backups'), go: screenDefinitions.settings.path },
    { id: 'showLogs', label: say('shell.showLogs'), act: 'showLogs' },
    { id: 'saveDiagnostics', label: say('shell.saveDiagnostics'), act: 'saveDiagnostics' },
    { id: 'checkForUpdates', label: say('shell.checkForUpdates'), act: 'checkForUpdates' },
    ...(isMac ? [] : ['line' as const, about(say)]),
  ],
});

/** The menus of the app, as data: what each system expects to find, and where. */
export const menuTable = ({ platform, packaged }: System, say: FormatMessage): readonly MenuColumn[] => {
  const isMac = platform === 'darwin';
  return [
    ...(isMac ? [appColumn(say)] : []),
    file(say, isMac),
    edit(say),
    view(say, packaged),
    window(say, isMac),
    help(say, isMac),
  ];
};

/** What the lines of the menu do. */
export type MenuHandlers = {
  go: (place: string) => void;
  act: (act: MenuAction) => void;
  press: (key: MenuKey) => void;
};

const lineOf = (line: MenuLine, does: MenuHandlers): MenuItemConstructorOptions => {
  if (line === 'line') return { type: 'separator' };
  if ('role' in line) return line;
  const { id, label, accelerator } = line;
  const named = { id, label, ...(accelerator === undefined ? {} : { accelerator }) };
  if ('go' in line) return { ...named, click: () => does.go(line.go) };
  if ('act' in line) return { ...named, click: () => does.act(line.act) };
  // The window knows this key itself: the menu only names it, or it would be pressed twice.
  return { ...named, registerAccelerator: false, click: () => does.press(line.press) };
};

/** The menus as Electron takes them. */
export const menuTemplate = (columns: readonly MenuColumn[], does: MenuHandlers): MenuItemConstructorOptions[] =>
  columns.map(({ id, label, lines }) => ({ id, label, submenu: lines.map((line) => lineOf(line, does)) }));
