import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { extname, join } from 'node:path';
import { json } from 'node:stream/consumers';
import sharp from 'sharp';
import { createContentSecurityPolicy, createPageNonce, renderPageHtml } from '../../../src/host/rendererPage.ts';
import { createCoreCalls, type CoreRequest } from './coreCalls.ts';
import { bundleScript } from './harness/bundle.ts';
import { buildHarnessPage, buildHarnessScript } from './harness/harnessScript.ts';

const outDir = join(import.meta.dirname, '..', '..', '..', 'out', 'renderer');
const types: Record<string, string> = { '.js': 'text/javascript', '.css': 'text/css', '.html': 'text/html' };

/** Builds the fake companion as one script that runs in the page before everything else. */
const buildFake = async (): Promise<string> => {
  const code = await bundleScript(join(import.meta.dirname, 'fakeCompanion.ts'), 'fakeCompanion');
  // The page's policy forbids `eval`, so zod must not compile schemas.
  return `globalThis.__zod_globalConfig = { jitless: true };\n${code}`;
};

/** Folders of real photos if this machine has them; otherwise squares are drawn. */
const photoFolders: Record<string, string> = {
  fox: 'fox-figurine',
  camera: 'old-compacts',
  book: 'paperback-book',
  plants: 'houseplants',
  scooter: 'scooter',
  frame: 'framed-picture',
  laptop: 'laptop-and-tablet',
  shoes: 'mixed-inbox',
};

const drawPicture = (name: string): string => {
  const hue = createHash('md5').update(name).digest().readUInt8(0) * 1.4;
  return `<svg xmlns="http://www.w3.org/2000/svg" width="800" height="800"><rect width="800" height="800" fill="hsl(${hue} 30% 70%)"/><circle cx="400" cy="430" r="240" fill="hsl(${hue} 35% 45%)"/></svg>`;
};

const readPicture = async (photoId: string, size: string): Promise<Buffer> => {
  const [name = '', at = '0'] = photoId.split('-');
  const folder = join(process.env.PHOTOS ?? '', photoFolders[name] ?? 'none');
  const wide = size === 'thumb' ? 320 : 1000;
  const files =
    process.env.PHOTOS && existsSync(folder) ? readdirSync(folder).filter((file) => /jpe?g$/i.test(file)) : [];
  const file = files[Number(at) % Math.max(1, files.length)];
  const source = file ? join(folder, file) : Buffer.from(drawPicture(photoId));
  return sharp(source).rotate().resize(wide, wide, { fit: 'inside' }).jpeg({ quality: 80 }).toBuffer();
};

/** Caches pictures by path: all pages use the same few, and drawing takes longer than sending. */
const createPictures = () => {
  const kept = new Map<string, Promise<Buffer>>();
  return (photoId: string, size: string): Promise<Buffer> => {
    const key = `${photoId} ${size}`;
    const picture = kept.get(key) ?? readPicture(photoId, size);
    kept.set(key, picture);
    return picture;
  };
};

/**
 * A prompt's photo is named by a fake hash, which is the photo's name in hexadecimal; a listing's photo by its number
 * in the table.
 */
const photoPath = (path: string): string => {
  const bound = /^\/bound-photos\/([0-9a-f]+?)(?:00)*$/.exec(path);
  const listed = /^\/listing-photos\/lst_(\d+)\/0$/.exec(path);
  if (listed) return `/photos/${Object.keys(photoFolders)[Number(listed[1]) % 7]}-0/thumb`;
  return bound ? `/photos/${Buffer.from(bound[1] ?? '', 'hex').toString()}/full` : path;
};

/**
 * Serves the built renderer like the hosts, with their policy and a nonce, and with the fake companion instead of a
 * core. If `withHarness`, an additional page shows the app whenever `window.harness` is told to.
 */
export const serveRenderer = async ({ withHarness = false } = {}) => {
  const fake = await buildFake();
  const harness = withHarness ? await buildHarnessScript(outDir, fake) : null;
  const pages = new Map([['/', readFileSync(join(outDir, 'index.html'), 'utf8')]]);
  if (withHarness) pages.set('/harness', buildHarnessPage(outDir));
  const keptPicture = createPictures();
  const answer = createCoreCalls();
  const server = createServer((request, response) => {
    const path = new URL(request.url ?? '/', 'http://x').pathname;
    const html = pages.get(path);
    const picture = /^\/photos\/([^/]+)\/(thumb|full)$/.exec(photoPath(path));
    if (path === '/core') {
      void json(request)
        .then((asked) => answer(asked as CoreRequest))
        .then((reply) => response.end(JSON.stringify(reply)));
    } else if (request.method === 'POST') {
      request.resume().on('end', () => response.end(JSON.stringify({ uploadId: crypto.randomUUID() })));
    } else if (picture) {
      void keptPicture(picture[1] ?? '', picture[2] ?? '').then((bytes) =>
        response.setHeader('content-type', 'image/jpeg').end(bytes),
      );
    } else if (html !== undefined) {
      const nonce = createPageNonce();
      response.setHeader('content-security-policy', createContentSecurityPolicy(nonce));
      response.setHeader('content-type', 'text/html; charset=utf-8').end(renderPageHtml(html, nonce));
    } else {
      const file = join(outDir, path);
      const type = types[extname(path)];
      const isHarness = harness !== null && path === '/harness.js';
      if (!type || !(isHarness || existsSync(file))) return void response.writeHead(404).end();
      // File names contain a hash of their content, so the browser can cache them and their compiled scripts.
      response.setHeader('cache-control', 'public, max-age=31536000, immutable');
      response.setHeader('content-type', type).end(isHarness ? harness : readFileSync(file));
    }
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const close = (): void => void server.close();
  const url = `http://127.0.0.1:${port}/`;
  return { url, harnessUrl: `${url}harness`, outDir, fake, close };
};
