import { existsSync, readFileSync, statSync } from 'node:fs';
import { basename, join } from 'node:path';
import * as z from 'zod';
import { defaultLabelChoice } from '../../../src/contract/labelSheets.ts';
import { renderPdf } from '../../helpers/renderPdf.ts';
import { drawTextlessItem } from '../drawItem.ts';
import { answerAfterGeneration, callInWindow } from '../practiceControl.ts';
import { expect, test } from './shell.ts';

test('prepared photos can be dragged out of the window as files', async ({ start, folder }) => {
  const { app, page, dropFolder } = await start();
  await page.getByRole('button', { name: 'Start with an empty shop' }).click();
  await expect(page.getByRole('region', { name: 'Drop photos here' })).toBeVisible();
  await answerAfterGeneration(page);
  const path = join(folder, 'Canon EOS 250D camera');
  await drawTextlessItem(path);
  await dropFolder(path);
  await expect(page.getByRole('listitem', { name: /review/i })).toBeVisible({ timeout: 60_000 });
  await app.evaluate(({ BrowserWindow }) => {
    const dragged: unknown[] = [];
    Object.assign(globalThis, { dragged });
    const contents = BrowserWindow.getAllWindows()[0]?.webContents;
    if (contents)
      contents.startDrag = (item) =>
        void dragged.push([item.files, typeof item.icon !== 'string' && item.icon.isEmpty()]);
  });
  await page.getByRole('listitem', { name: /review/i }).click();
  const large = page.getByRole('region', { name: 'Photos', exact: true }).getByRole('button').first();
  await expect(large).toHaveAttribute('draggable', 'true');
  await large.dispatchEvent('dragstart');
  const begun = () => app.evaluate(() => (globalThis as unknown as { dragged: unknown[] }).dragged.length);
  await expect.poll(begun).toBe(1);
  const [dragged] = await app.evaluate(() => (globalThis as unknown as { dragged: [string[], boolean][] }).dragged);
  // The second photo looks the same, so it is set aside as a copy and not dragged.
  expect(dragged?.[0]).toHaveLength(1);
  expect(dragged?.[1]).toBe(false);
  for (const file of dragged?.[0] ?? []) {
    expect(file.startsWith(join(folder, 'data'))).toBe(true);
    expect(statSync(file).size).toBeGreaterThan(1_000);
  }
  expect(await callInWindow(page, 'app.dragOut', { photoIds: ['../../etc/passwd'] })).toMatchObject({
    problem: { code: 'NO_PHOTOS' },
  });
});

test('printed labels open in the PDF program of this computer', async ({ start, folder }) => {
  const { app, page, dropFolder } = await start();
  await page.getByRole('button', { name: 'Start with an empty shop' }).click();
  await expect(page.getByRole('region', { name: 'Drop photos here' })).toBeVisible();
  const path = join(folder, 'Canon EOS 250D camera (bin A02)');
  await drawTextlessItem(path);
  await dropFolder(path);
  await app.evaluate(({ shell }) => {
    const opened: string[] = [];
    Object.assign(globalThis, { opened });
    shell.openPath = (file) => {
      opened.push(file);
      return Promise.resolve('');
    };
  });
  const itemsPage = z.object({ value: z.object({ rows: z.array(z.object({ itemId: z.string() })).nonempty() }) });
  await expect.poll(async () => itemsPage.safeParse(await callInWindow(page, 'items.list')).success).toBe(true);
  const [item] = itemsPage.parse(await callInWindow(page, 'items.list')).value.rows;
  const input = { itemIds: [item?.itemId], choice: defaultLabelChoice, startAt: 0 };
  expect(await callInWindow(page, 'shelf.printLabels', input)).toEqual({ ok: true, value: { url: null } });
  const [opened] = await app.evaluate(() => (globalThis as unknown as { opened: string[] }).opened);
  const { pages } = await renderPdf(readFileSync(opened ?? ''));
  expect(pages[0]?.text).toContain('A02');
});

test('logs can be opened, and saved diagnostics contain no personal data', async ({ start, folder }) => {
  const { app, page } = await start();
  await page.getByRole('button', { name: 'Start with an empty shop' }).click();
  await expect(page.getByRole('region', { name: 'Drop photos here' })).toBeVisible();
  const saved = join(folder, 'diagnostics.json');
  await app.evaluate(({ shell, dialog }, filePath) => {
    const opened: string[] = [];
    Object.assign(globalThis, { opened });
    shell.openPath = (path) => {
      opened.push(path);
      return Promise.resolve('');
    };
    dialog.showSaveDialog = () => Promise.resolve({ canceled: false, filePath });
  }, saved);
  const choose = (id: string): Promise<void> =>
    app.evaluate(({ Menu }, line) => {
      Menu.getApplicationMenu()?.getMenuItemById(line)?.click();
    }, id);
  await choose('showLogs');
  const opened = (): Promise<string[]> => app.evaluate(() => (globalThis as unknown as { opened: string[] }).opened);
  await expect.poll(opened).toEqual([join(folder, 'data', 'logs')]);
  expect(existsSync(join(folder, 'data', 'logs', 'companion.log'))).toBe(true);
  await choose('saveDiagnostics');
  // The file exists before it is complete.
  const written = (): string => (existsSync(saved) ? readFileSync(saved, 'utf8') : '');
  await expect.poll(written).toMatch(/\}\s*$/);
  const text = written();
  expect(JSON.parse(text)).toMatchObject({ service: 'practice', connection: 'connected' });
  expect(text).not.toContain('you@practice.example');
  expect(text).not.toContain(basename(folder));
});

test('the settings create and remove the autostart and file manager entries', async ({ start, folder }) => {
  test.skip(process.platform !== 'linux', 'Elsewhere the system keeps the login items, and the installer the entry.');
  const home = { XDG_CONFIG_HOME: join(folder, 'config'), XDG_DATA_HOME: join(folder, 'share') };
  const { page } = await start({ env: home });
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
  const login = join(home.XDG_CONFIG_HOME, 'autostart', 'listing-companion.desktop');
  const manager = join(home.XDG_DATA_HOME, 'applications', 'listing-companion-add.desktop');
  expect(await callInWindow(page, 'app.shell')).toMatchObject({
    value: { startAtLogin: false, addFromFileManager: false },
  });
  expect(await callInWindow(page, 'app.changeShell', { startAtLogin: true, addFromFileManager: true })).toMatchObject({
    value: { startAtLogin: true, addFromFileManager: true },
  });
  expect(readFileSync(login, 'utf8')).toMatch(/^Exec="\/.* "--hidden"$/m);
  expect(readFileSync(manager, 'utf8')).toMatch(/^MimeType=inode\/directory;/m);
  await callInWindow(page, 'app.changeShell', { startAtLogin: false, addFromFileManager: false });
  expect([existsSync(login), existsSync(manager)]).toEqual([false, false]);
});
