import { extractAll, listPackage } from '@electron/asar';
import { FuseV1Options, getCurrentFuseWire } from '@electron/fuses';
import { cpSync, existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { builtinModules } from 'node:module';
import { join } from 'node:path';
import { createPhotoWorkers } from '../../../src/core/photos/photoWorkers.ts';
import { kitchen } from '../../../src/host/kitchen.ts';
import { createPhotoReader } from '../../../src/practice/writer/reading/photoReader.ts';
import { photoReading } from '../../../src/practice/writer/startReader.ts';
import { getFixtureFolder } from '../../helpers/photos/getFixtureFolder.ts';
import type { Host } from '../host.ts';
import { sampleListings } from '../../helpers/practice/sampleListings.ts';
import { packApp } from './packApp.ts';
import { expect, test } from './shell.ts';

test.skip(
  process.platform !== 'linux',
  'The packager makes a folder for Linux on Linux; installers are the workflow’s.',
);

/** More than a hundred of these are the bundled Node. */
const maxMegabytes = 180;

const measureSize = (path: string): number =>
  statSync(path).isDirectory()
    ? readdirSync(path).reduce((sum, name) => sum + measureSize(join(path, name)), 0)
    : statSync(path).size;

const getPackageName = (path: string): string =>
  path
    .split('/')
    .slice(0, path.startsWith('@') ? 2 : 1)
    .join('/');

/** Returns the packages that the built main process imports by name. */
const listImportedPackages = (dir: string): string[] => {
  const files = readdirSync(dir, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.js'));
  const names = files.flatMap((name) => {
    const source = readFileSync(join(dir, name), 'utf8');
    const found = source.matchAll(
      /^import\b[^;]*?["']((?:@[\w.-]+\/)?[a-z][\w.-]*)(?:\/[^"']*)?["'];|\bimport\(["']([a-z@][\w./-]*)["']\)/gm,
    );
    return [...found].map(([, named, loaded]) => named ?? getPackageName(loaded ?? ''));
  });
  return [...new Set(names)].filter((name) => name !== '' && name !== 'electron' && !builtinModules.includes(name));
};

const on = '1'.charCodeAt(0);

const sampleTitles = sampleListings.map(({ title }) => title);

/** Publishes the sample photos and returns the sorted titles of the live listings. */
const publishSamples = async ({ page }: Host): Promise<string[]> => {
  await page.getByRole('button', { name: 'Start with an empty shop' }).click();
  await page.getByRole('button', { name: 'Try with sample photos' }).click();
  await expect(page.getByRole('listitem', { name: /Ready to review/ })).toHaveCount(3, { timeout: 120_000 });
  for (const title of sampleTitles) await expect(page.getByRole('listitem').filter({ hasText: title })).toBeVisible();
  await page.getByRole('button', { name: /^Select all/ }).click();
  await page.getByRole('button', { name: /^Publish 3…/ }).click();
  await page.getByRole('button', { name: /^Publish 3 for/ }).click();
  const links = page.getByRole('dialog').getByRole('link', { name: 'Open listing' });
  await expect(links).toHaveCount(3, { timeout: 60_000 });
  const addresses = await links.evaluateAll((all) => all.map((link) => link.getAttribute('href') ?? ''));
  const titles = addresses.map(async (address) => /<h1[^>]*>([^<]*)/.exec(await (await fetch(address)).text())?.[1]);
  return (await Promise.all(titles)).map((title) => title ?? '').sort();
};

test('the packed app is complete, has its fuses set and creates listings', async ({ start, folder }) => {
  test.slow();
  const packed = await packApp(folder);
  const resources = join(packed, 'resources');
  const asar = join(resources, 'app.asar');
  const inside = new Set(listPackage(asar, { isPack: false }).map((path) => path.replaceAll('\\', '/')));

  await test.step('the archive contains the expected files and no others', () => {
    const top = [...inside].filter((path) => path.lastIndexOf('/') === 0);
    expect(top.sort()).toEqual(['/node_modules', '/out', '/package.json']);
    for (const path of [
      '/out/main/index.js',
      '/out/preload/index.cjs',
      '/out/renderer/index.html',
      '/node_modules/@img/sharp-wasm32',
      `/node_modules/better-sqlite3/prebuilds/linux-${process.arch}.node`,
      `/node_modules/keytar/prebuilds/linux-${process.arch}/keytar.node`,
      '/node_modules/electron-updater',
      '/out/main/chunks/tesseract-core-relaxedsimd-lstm.wasm',
      '/out/main/chunks/eng.traineddata.gz',
      '/out/main/labelThread.js',
      '/out/main/chunks/RobotoCondensed_700Bold.ttf',
    ])
      expect(inside.has(path), path).toBe(true);
    for (const never of [
      /^\/node_modules\/(electron|react|react-dom|vite|typescript|playwright)(\/|$)/,
      /^\/node_modules\/.*tesseract/,
      /^\/node_modules\/node-(linux|win|darwin|bin)/,
      /^\/node_modules\/@img\/sharp-(libvips-)?(linuxmusl|darwin|win32)/,
      new RegExp(`prebuilds/(?!linux-${process.arch}[./]).*\\.node$`),
      /\.(gyp|cc|c|h|cpp|hpp)$/,
      /\.(ts|map)$/,
    ])
      expect([...inside].filter((path) => never.test(path))).toEqual([]);
    const missing = listImportedPackages(join(import.meta.dirname, '..', '..', '..', 'out', 'main')).filter(
      (name) => !inside.has(`/node_modules/${name}`),
    );
    expect(missing).toEqual([]);
    expect(existsSync(join(resources, 'samples'))).toBe(true);
    expect(readdirSync(join(packed, 'locales'))).toEqual(['en-US.pak']);
    expect(measureSize(resources) / 1024 / 1024).toBeLessThan(maxMegabytes);
  });

  await test.step('the app’s own Node prepares and reads photos', async () => {
    const code = kitchen.built(join(resources, 'app.asar.unpacked'));
    const node = { kind: 'node', path: join(resources, 'node') } as const;
    const workers = createPhotoWorkers({ startKitchen: kitchen.starter(code, node) });
    for (const name of ['photo.jpg', 'photo.heic', 'photo.avif']) {
      const source = join(await getFixtureFolder(), 'good', name);
      expect(await workers.prepare({ source, outDir: join(folder, 'prepared') })).toMatchObject({
        ok: true,
        width: 400,
      });
    }
    await workers.close();
    const startReader = photoReading.starter(photoReading.built(join(resources, 'app.asar.unpacked')), node);
    const reader = createPhotoReader({ startReader });
    const box = join(resources, 'samples', 'Orvanto headphones', 'P1020333.jpg');
    const seen = await reader.read(box);
    expect(seen?.barcodes).toMatchObject([{ text: '2004170040147' }]);
    expect(seen?.lines.map(({ text }) => text)).toContain('Model: QN-40');
    await reader.close();
  });

  await test.step('the fuses are set', async () => {
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

  await test.step('the app publishes the sample listings', async () => {
    const appDir = join(folder, 'app');
    extractAll(asar, appDir);
    // An installed app finds the samples in its resources folder; this copy looks in its own folder.
    cpSync(join(resources, 'samples'), join(appDir, 'resources', 'samples'), { recursive: true });
    const inside = await start({ appDir, dataDir: join(folder, 'packed-data') });
    expect(await publishSamples(inside)).toEqual(sampleTitles);
  });
});
