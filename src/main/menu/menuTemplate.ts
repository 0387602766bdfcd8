import type { MenuItemConstructorOptions } from 'electron';
import type { MenuAct, MenuColumn, MenuKey, MenuLine } from './menuTable.ts';

/** What the lines of the menu do. */
export type MenuDoes = {
  go: (place: string) => void;
  act: (act: MenuAct) => void;
  press: (key: MenuKey) => void;
};

const lineOf = (line: MenuLine, does: MenuDoes): MenuItemConstructorOptions => {
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
export const menuTemplate = (columns: readonly MenuColumn[], does: MenuDoes): MenuItemConstructorOptions[] =>
  columns.map(({ id, label, lines }) => ({ id, label, submenu: lines.map((line) => lineOf(line, does)) }));
