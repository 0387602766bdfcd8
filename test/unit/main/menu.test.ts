import { expect, test } from 'vitest';
import { createHostTranslator, type FormatMessage } from '../../../src/host/hostTranslator.ts';
import { languages } from '../../../src/i18n/languages.ts';
import { screenDefinitions, screenIds } from '../../../src/ipc/screens.ts';
import {
  createMenuTable,
  type MenuColumn,
  type MenuLine,
  createMenuTemplate,
} from '../../../src/main/menu/menuTable.ts';

/** Creates the text formatter of a host for a language. */
const createFormatter = async (language: string): Promise<FormatMessage> => {
  const translator = createHostTranslator(['en']);
  await translator.setLanguage(language);
  return translator.format;
};
const english = await createFormatter('en');
const systems = (['linux', 'darwin', 'win32'] as const).flatMap((platform) =>
  [true, false].flatMap((packaged) => Object.keys(languages).map((language) => ({ platform, packaged, language }))),
);
const linesOf = (columns: readonly MenuColumn[]): Exclude<MenuLine, 'line'>[] =>
  columns.flatMap(({ lines }) => lines.filter((line) => line !== 'line'));

test.each(systems)(
  'on $platform (packaged: $packaged, $language), every menu item has a unique id and accelerator',
  async (system) => {
    const format = await createFormatter(system.language);
    const columns = createMenuTable(system, format);
    const lines = linesOf(columns);
    const ids = [...columns.map(({ id }) => id), ...lines.flatMap((line) => ('id' in line ? [line.id] : []))];
    expect(new Set(ids).size).toBe(ids.length);
    const accelerators = lines.flatMap((line) => ('accelerator' in line ? [line.accelerator] : []));
    expect(new Set(accelerators).size).toBe(accelerators.length);
    for (const line of lines) expect(line.label.trim()).not.toBe('');
    for (const { lines: own } of columns) {
      // A separator is never first or last, and never next to another separator.
      expect(
        own.some((line, at) => line === 'line' && (at === 0 || at === own.length - 1 || own[at + 1] === 'line')),
      ).toBe(false);
      const keys = own.flatMap((line) =>
        line !== 'line' && line.label ? [/&(.)/.exec(line.label)?.[1]?.toLowerCase()] : [],
      );
      const marked = keys.filter((key) => key !== undefined);
      expect(new Set(marked).size).toBe(marked.length);
    }
  },
);

test('the menus on Mac and Linux have the usual structure without developer tools', () => {
  const mac = createMenuTable({ platform: 'darwin', packaged: true }, english);
  expect(mac[0]?.id).toBe('app');
  expect(mac.map(({ id }) => id)).toEqual(['app', 'file', 'edit', 'view', 'window', 'help']);
  const linux = createMenuTable({ platform: 'linux', packaged: true }, english);
  expect(linux.map(({ id }) => id)).toEqual(['file', 'edit', 'view', 'window', 'help']);
  for (const columns of [mac, linux]) {
    const roles = linesOf(columns).flatMap((line) => ('role' in line ? [line.role] : []));
    expect(roles).toEqual(
      expect.arrayContaining(['quit', 'about', 'undo', 'copy', 'paste', 'zoomIn', 'togglefullscreen']),
    );
    expect(roles).not.toContain('toggleDevTools');
  }
});

test('the menus open exactly the screens of the window', () => {
  const places = linesOf(createMenuTable({ platform: 'linux', packaged: true }, english)).flatMap((line) =>
    'go' in line ? [line.go] : [],
  );
  const paths = screenIds.map((id) => screenDefinitions[id].path);
  expect(new Set(places)).toEqual(new Set(paths));
});

test('a menu item runs its action exactly once', () => {
  const done: unknown[] = [];
  const template = createMenuTemplate(createMenuTable({ platform: 'linux', packaged: true }, english), {
    go: (place) => void done.push(['go', place]),
    act: (act) => void done.push(['act', act]),
    press: (key) => void done.push(['press', key.key]),
  });
  const lines = template.flatMap(({ submenu }) => (Array.isArray(submenu) ? submenu : []));
  for (const id of ['settings', 'addPhotos', 'find']) {
    const line = lines.find((one) => one.id === id);
    (line?.click as (() => void) | undefined)?.();
  }
  expect(done).toEqual([
    ['go', '/settings'],
    ['act', 'addPhotos'],
    ['press', 'k'],
  ]);
  // The window handles this key itself; the menu would trigger it twice.
  expect(lines.find((one) => one.id === 'find')?.registerAccelerator).toBe(false);
});
