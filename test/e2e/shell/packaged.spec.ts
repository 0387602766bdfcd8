import { extractAll, listPackage } from '@electron/asar';
import { FuseV1Options, getCurrentFuseWire } from '@electron/fuses';
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { builtinModules } from 'node:module';
import { join } from 'node:path';
import { drawItem } from '../drawItem.ts';
import { packApp } from './packApp.ts';
import { expect, test } from './shell.ts';

test.skip(
  process.platform !== 'linux',
  'The packager makes a folder for Linux on Linux; installers are the workflow’s.',
);

const mostMegabytes = 70;

const sizeOf = (path: string): number =>
  statSync(path).isDirectory()
    ? readdirSync(path).reduce((sum, name) => sum + sizeOf(join(path, name)), 0)
    : statSync(path).size;

const packageOf = (path: string): string =>
  path
    .split('/')
    .slice(0, path.startsWith('@') ? 2 : 1)
    .join('/');

/** The packages that the built main process imports by name. */
const importedBy = (dir: string): string[] => {
  const files = readdirSync(dir, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.js'));
  const names = files.flatMap((name) => {
    const source = readFileSync(join(dir, name), 'utf8');
    const found = source.matchAll(
      /^import\b[^;]*?["']((?:@[\w.-]+\/)?[a-z][\w.-]*)(?:\/[^"']*)?["'];|\bimport\(["']([a-z@][\w./-]*)["']\)/gm,
    );
    return [...found].map(([, named, loaded]) => named ?? packageOf(loaded ?? ''));
  });
  return [...new Set(names)].filter((name) => name !== '' && name !== 'electron' && !builtinModules.includes(name));
};

const on = '1'.charCodeAt(0);

test('the packed app has what it needs and nothing else, its fuses are set, and it runs', async ({ start, folder }) => {
  const packed = await packApp(folder);
  const resources = join(packed, 'resources');
  const asar = join(resources, 'app.asar');
  const inside = new Set(listPackage(asar, { isPack: false }).map((path) => path.replaceAll('\\', '/')));

  await test.step('what is inside', () => {
    const top = [...inside].filter((path) => path.lastIndexOf('/') === 0);
    expect(top.sort()).toEqual(['/node_modules', '/out', '/package.json']);
    for (const path of [
      '/out/main/index.js',
      '/out/preload/index.cjs',
      '/out/renderer/index.html',
      '/node_modules/@img/sharp-wasm32',
      `/node_modules/better-sqlite3/prebuilds/linux-${process.arch}.node`,
      '/node_modules/electron-updater',
    ])
      expect(inside.has(path), path).toBe(true);
    for (const never of [
      /^\/node_modules\/(electron|react|react-dom|vite|typescript|playwright)(\/|$)/,
      /^\/node_modules\/node-(linux|win|darwin|bin)/,
      /^\/node_modules\/@img\/sharp-(linux|libvips|darwin|win32)/,
      /prebuilds\/(darwin|win32|linuxmusl)/,
      /\.(ts|map)$/,
    ])
      expect([...inside].filter((path) => never.test(path))).toEqual([]);
    const missing = importedBy(join(import.meta.dirname, '..', '..', '..', 'out', 'main')).filter(
      (name) => !inside.has(`/node_modules/${name}`),
    );
    expect(missing).toEqual([]);
    expect(existsSync(join(resources, 'samples'))).toBe(true);
    expect(readdirSync(join(packed, 'locales'))).toEqual(['en-US.pak']);
    expect(sizeOf(resources) / 1024 / 1024).toBeLessThan(mostMegabytes);
  });

  await test.step('the fuses', async () => {
    const fuses = await getCurrentFuseWire(join(packed, 'listing-companion'));
    const named = Object.entries({
      RunAsNode: FuseV1Options.RunAsNode,
      EnableCookieEncryption: FuseV1Options.EnableCookieEncryption,
      EnableNodeOptionsEnvironmentVariable: FuseV1Options.EnableNodeOptionsEnvironmentVariable,
      EnableNodeCliInspectArguments: FuseV1Options.EnableNodeCliInspectArguments,
      EnableEmbeddedAsarIntegrityValidation: FuseV1Options.EnableEmbeddedAsarIntegrityValidation,
      OnlyLoadAppFromAsar: FuseV1Options.OnlyLoadAppFromAsar,
      GrantFileProtocolExtraPrivileges: FuseV1Options.GrantFileProtocolExtraPrivileges,
    });
    expect(Object.fromEntries(named.map(([name, at]) => [name, Number(fuses[at]) === on]))).toEqual({
      RunAsNode: false,
      EnableCookieEncryption: true,
      EnableNodeOptionsEnvironmentVariable: false,
      EnableNodeCliInspectArguments: false,
      EnableEmbeddedAsarIntegrityValidation: true,
      OnlyLoadAppFromAsar: true,
      GrantFileProtocolExtraPrivileges: false,
    });
  });

  await test.step('it runs with nothing but what is inside', async () => {
    const appDir = join(folder, 'app');
    extractAll(asar, appDir);
    const { page, dropFolder } = await start({ appDir });
    await page.getByRole('button', { name: 'Try it with practice data' }).click();
    await expect(page.getByRole('region', { name: 'Drop photos here' })).toBeVisible();
    const photos = join(folder, 'Canon EOS 250D camera');
    await drawItem(photos, ['Canon', 'EOS 250D']);
    await dropFolder(photos);
    await expect(page.getByRole('listitem', { name: /review/i })).toBeVisible({ timeout: 60_000 });
  });
});
