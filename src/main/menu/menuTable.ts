import type { MenuItemConstructorOptions } from 'electron';
import type { FormatMessage } from '../../host/hostTranslator.ts';
import { screenDefinitions, screenIds, type ScreenId } from '../../ipc/screens.ts';

export type MenuAction = 'addPhotos' | 'pause' | 'showLogs' | 'saveDiagnostics' | 'installCommand' | 'checkForUpdates';

export type MenuKey = { key: string; withControl: boolean };

type Role = NonNullable<MenuItemConstructorOptions['role']>;
type NamedLine = { id: string; label: string; accelerator?: string };

export type MenuLine =
  | 'line'
  | { role: Role; label: string }
  | (NamedLine & { go: string })
  | (NamedLine & { act: MenuAction })
  | (NamedLine & { press: MenuKey });

export type MenuColumn = { id: string; label: string; lines: readonly MenuLine[] };

type MenuPlatform = { platform: NodeJS.Platform; packaged: boolean };

const createScreenLine = (format: FormatMessage, screen: ScreenId, id: string = screen): MenuLine => {
  const { path, menuText, accelerator } = screenDefinitions[screen];
  return { id, label: format(menuText), ...(accelerator === null ? {} : { accelerator }), go: path };
};
const createAboutLine = (format: FormatMessage): MenuLine => ({ role: 'about', label: format('shell.about') });
const removeMnemonicMarks = (label: string): string => label.replaceAll('&', '');

const createAppColumn = (format: FormatMessage): MenuColumn => ({
  id: 'app',
  label: 'Listing Companion',
  lines: [
    createAboutLine(format),
    'line',
    createScreenLine(format, 'settings'),
    'line',
    { role: 'services', label: format('shell.services') },
    'line',
    { role: 'hide', label: format('shell.hide') },
    { role: 'hideOthers', label: format('shell.hideOthers') },
    { role: 'unhide', label: format('shell.unhide') },
    'line',
    { role: 'quit', label: removeMnemonicMarks(format('shell.quit')) },
  ],
});

const createFileColumn = (format: FormatMessage, isMac: boolean): MenuColumn => ({
  id: 'file',
  label: format('shell.file'),
  lines: [
    { id: 'addPhotos', label: format('shell.addPhotos'), accelerator: 'CmdOrCtrl+O', act: 'addPhotos' },
    { id: 'pause', label: format('shell.pauseOrGoOn'), act: 'pause' },
    'line',
    ...(isMac ? [] : [createScreenLine(format, 'settings'), 'line' as const]),
    { role: 'close', label: format('shell.closeWindow') },
    ...(isMac ? [] : [{ role: 'quit' as const, label: format('shell.quit') }]),
  ],
});

const createEditColumn = (format: FormatMessage): MenuColumn => ({
  id: 'edit',
  label: format('shell.edit'),
  lines: [
    { role: 'undo', label: format('shell.undo') },
    { role: 'redo', label: format('shell.redo') },
    'line',
    { role: 'cut', label: format('shell.cut') },
    { role: 'copy', label: format('shell.copy') },
    { role: 'paste', label: format('shell.paste') },
    { role: 'delete', label: format('shell.delete') },
    { role: 'selectAll', label: format('shell.selectAll') },
    'line',
    { id: 'find', label: format('shell.find'), accelerator: 'CmdOrCtrl+K', press: { key: 'k', withControl: true } },
  ],
});

const createViewColumn = (format: FormatMessage, packaged: boolean): MenuColumn => ({
  id: 'view',
  label: format('shell.view'),
  lines: [
    ...screenIds.filter((id) => screenDefinitions[id].menu === 'view').map((id) => createScreenLine(format, id)),
    'line',
    { role: 'resetZoom', label: format('shell.actualSize') },
    { role: 'zoomIn', label: format('shell.larger') },
    { role: 'zoomOut', label: format('shell.smaller') },
    'line',
    { role: 'togglefullscreen', label: format('shell.fullScreen') },
    ...(packaged ? [] : [{ role: 'toggleDevTools' as const, label: format('shell.developer') }]),
  ],
});

const createMacWindowLines = (format: FormatMessage): MenuLine[] => [
  { role: 'zoom', label: format('shell.zoom') },
  { role: 'front', label: format('shell.front') },
];

const createWindowColumn = (format: FormatMessage, isMac: boolean): MenuColumn => ({
  id: 'window',
  label: format('shell.window'),
  lines: [{ role: 'minimize', label: format('shell.minimize') }, ...(isMac ? createMacWindowLines(format) : [])],
});

const createHelpColumn = (format: FormatMessage, isMac: boolean, packaged: boolean): MenuColumn => ({
  id: 'help',
  label: format('shell.help'),
  lines: [
    createScreenLine(format, 'help', 'guide'),
    { id: 'keys', label: format('shell.keys'), press: { key: '?', withControl: false } },
    'line',
    { id: 'backups', label: format('shell.backups'), go: screenDefinitions.settings.path },
    { id: 'showLogs', label: format('shell.showLogs'), act: 'showLogs' },
    { id: 'saveDiagnostics', label: format('shell.saveDiagnostics'), act: 'saveDiagnostics' },
    ...(packaged
      ? [{ id: 'installCommand', label: format('shell.installCommand'), act: 'installCommand' as const }]
      : []),
    { id: 'checkForUpdates', label: format('shell.checkForUpdates'), act: 'checkForUpdates' },
    ...(isMac ? [] : ['line' as const, createAboutLine(format)]),
  ],
});

export const createMenuTable = ({ platform, packaged }: MenuPlatform, format: FormatMessage): readonly MenuColumn[] => {
  const isMac = platform === 'darwin';
  return [
    ...(isMac ? [createAppColumn(format)] : []),
    createFileColumn(format, isMac),
    createEditColumn(format),
    createViewColumn(format, packaged),
    createWindowColumn(format, isMac),
    createHelpColumn(format, isMac, packaged),
  ];
};

export type MenuHandlers = {
  go: (place: string) => void;
  act: (act: MenuAction) => void;
  press: (key: MenuKey) => void;
};

const toMenuItem = (line: MenuLine, does: MenuHandlers): MenuItemConstructorOptions => {
  if (line === 'line') return { type: 'separator' };
  if ('role' in line) return line;
  const { id, label, accelerator } = line;
  const named = { id, label, ...(accelerator === undefined ? {} : { accelerator }) };
  if ('go' in line) return { ...named, click: () => does.go(line.go) };
  if ('act' in line) return { ...named, click: () => does.act(line.act) };
  // The window handles this key itself. If the menu registered the key too, the action would run twice.
  return { ...named, registerAccelerator: false, click: () => does.press(line.press) };
};

export const createMenuTemplate = (columns: readonly MenuColumn[], does: MenuHandlers): MenuItemConstructorOptions[] =>
  columns.map(({ id, label, lines }) => ({ id, label, submenu: lines.map((line) => toMenuItem(line, does)) }));
