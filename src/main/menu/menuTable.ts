import type { MenuItemConstructorOptions } from 'electron';

/** What a line of the menu has the shell do. */
export type MenuAct = 'addPhotos' | 'pause' | 'showLogs' | 'saveDiagnostics' | 'checkForUpdates';

/** A key of the window's own, which the menu presses for the person. */
export type MenuKey = { key: string; withControl: boolean };

type Role = NonNullable<MenuItemConstructorOptions['role']>;
type Named = { id: string; label: string; accelerator?: string };

export type MenuLine =
  | 'line'
  | { role: Role; label?: string }
  | (Named & { go: string })
  | (Named & { act: MenuAct })
  | (Named & { press: MenuKey });

export type MenuColumn = { id: string; label: string; lines: readonly MenuLine[] };

type System = { platform: NodeJS.Platform; packaged: boolean };

const settings: MenuLine = { id: 'settings', label: 'Settings…', accelerator: 'CmdOrCtrl+,', go: '/settings' };
const about: MenuLine = { role: 'about', label: 'About Listing Companion' };

const appColumn: MenuColumn = {
  id: 'app',
  label: 'Listing Companion',
  lines: [
    about,
    'line',
    settings,
    'line',
    { role: 'services' },
    'line',
    { role: 'hide' },
    { role: 'hideOthers' },
    { role: 'unhide' },
    'line',
    { role: 'quit' },
  ],
};

const file = (isMac: boolean): MenuColumn => ({
  id: 'file',
  label: '&File',
  lines: [
    { id: 'addPhotos', label: '&Add photos…', accelerator: 'CmdOrCtrl+O', act: 'addPhotos' },
    { id: 'pause', label: '&Pause or go on', act: 'pause' },
    'line',
    ...(isMac ? [] : [settings, 'line' as const]),
    { role: 'close', label: 'Close &window' },
    ...(isMac ? [] : [{ role: 'quit' as const, label: '&Quit' }]),
  ],
});

const edit: MenuColumn = {
  id: 'edit',
  label: '&Edit',
  lines: [
    { role: 'undo' },
    { role: 'redo' },
    'line',
    { role: 'cut' },
    { role: 'copy' },
    { role: 'paste' },
    { role: 'delete' },
    { role: 'selectAll' },
    'line',
    { id: 'find', label: '&Find…', accelerator: 'CmdOrCtrl+K', press: { key: 'k', withControl: true } },
  ],
};

const view = (packaged: boolean): MenuColumn => ({
  id: 'view',
  label: '&View',
  lines: [
    { id: 'items', label: '&Items', accelerator: 'CmdOrCtrl+1', go: '/' },
    { id: 'listings', label: '&Listings', accelerator: 'CmdOrCtrl+2', go: '/listings' },
    { id: 'approvals', label: '&Approvals', accelerator: 'CmdOrCtrl+3', go: '/approvals' },
    { id: 'insights', label: 'I&nsights', accelerator: 'CmdOrCtrl+4', go: '/insights' },
    { id: 'assistants', label: 'A&ssistants', accelerator: 'CmdOrCtrl+5', go: '/assistants' },
    'line',
    { role: 'resetZoom', label: 'Actual size' },
    { role: 'zoomIn', label: 'Larger' },
    { role: 'zoomOut', label: 'Smaller' },
    'line',
    { role: 'togglefullscreen' },
    ...(packaged ? [] : [{ role: 'toggleDevTools' as const }]),
  ],
});

const window = (isMac: boolean): MenuColumn => ({
  id: 'window',
  label: '&Window',
  lines: [{ role: 'minimize' }, ...(isMac ? [{ role: 'zoom' as const }, { role: 'front' as const }] : [])],
});

const help = (isMac: boolean): MenuColumn => ({
  id: 'help',
  label: '&Help',
  lines: [
    { id: 'keys', label: '&Keys', press: { key: '?', withControl: false } },
    'line',
    { id: 'showLogs', label: 'Show &logs', act: 'showLogs' },
    { id: 'saveDiagnostics', label: 'Save &diagnostics…', act: 'saveDiagnostics' },
    { id: 'checkForUpdates', label: 'Check for &updates…', act: 'checkForUpdates' },
    ...(isMac ? [] : ['line' as const, about]),
  ],
});

/** The menus of the app, as data: what each system expects to find, and where. */
export const menuTable = ({ platform, packaged }: System): readonly MenuColumn[] => {
  const isMac = platform === 'darwin';
  return [...(isMac ? [appColumn] : []), file(isMac), edit, view(packaged), window(isMac), help(isMac)];
};
