import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { createWindowStateStore } from '../../../src/main/window/windowState.ts';

let folder: string;
let path: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'memory-'));
  path = join(folder, 'window.json');
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const fresh = { bounds: null, maximized: false, zoom: 0, trayExplained: false };
const bounds = { x: 1, y: 2, width: 800, height: 600 };

test('the window state is restored at the next start', () => {
  createWindowStateStore(path).change({ bounds, zoom: 1.5 });
  expect(createWindowStateStore(path).now()).toEqual({ ...fresh, bounds, zoom: 1.5 });
});

test.each([
  ['', fresh],
  ['[]', fresh],
  ['null', fresh],
  ['{"bounds":', fresh],
  [
    JSON.stringify({ bounds: { ...bounds, width: 0 }, zoom: 99, trayExplained: true }),
    { ...fresh, trayExplained: true },
  ],
  [JSON.stringify({ bounds, zoom: 'large' }), { ...fresh, bounds }],
])('a window state file with %j loses only its invalid values', (text, expected) => {
  writeFileSync(path, text);
  expect(createWindowStateStore(path).now()).toEqual(expected);
});

test('a window state that cannot be saved causes no error', () => {
  const memory = createWindowStateStore(join(folder, 'nowhere', 'window.json'));
  memory.change({ zoom: 1 });
  expect(memory.now().zoom).toBe(1);
});

test('an unchanged window state is not saved again', () => {
  const memory = createWindowStateStore(path);
  memory.change({ zoom: 1 });
  writeFileSync(path, 'marked');
  memory.change({ zoom: 1 });
  expect(readFileSync(path, 'utf8')).toBe('marked');
});
