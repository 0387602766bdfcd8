import { protocol } from 'electron';
import { createReadStream, type ReadStream } from 'node:fs';
import { readFile, stat } from 'node:fs/promises';
import { extname, join, normalize, sep } from 'node:path';
import { Readable } from 'node:stream';
import type { ExportedFile } from '../core/companion/dataTasks/fileExports.ts';
import { photoHeaders, parsePhotoPath } from '../host/photoPath.ts';
import {
  createContentSecurityPolicy,
  createPageNonce,
  renderPageHtml,
  removeFramePreloads,
} from '../host/rendererPage.ts';
import type { RunningCompanion } from '../host/runCompanion.ts';
import type { HostTranslator } from '../host/hostTranslator.ts';
import { appOrigin, appScheme, isOwnAddress } from './appAddress.ts';
import { isCrashPageAddress, renderCrashPage, createCrashPagePolicy } from './window/crashPage.ts';

const contentTypes: Record<string, string> = {
  '.css': 'text/css; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.json': 'application/json; charset=utf-8',
  '.png': 'image/png',
  '.svg': 'image/svg+xml',
  '.wasm': 'application/wasm',
  '.webp': 'image/webp',
  '.woff2': 'font/woff2',
};

const createNotFoundResponse = (): Response => new Response(null, { status: 404 });

const toBodyStream = (stream: ReadStream): ReadableStream => Readable.toWeb(stream) as ReadableStream;

const createHtmlResponse = (html: string, policy: string): Response =>
  new Response(html, {
    headers: {
      'Content-Type': 'text/html; charset=utf-8',
      'Content-Security-Policy': policy,
      'X-Content-Type-Options': 'nosniff',
      'Cache-Control': 'no-store',
    },
  });

const createPageResponse = async (rendererDir: string, isFirstRun: () => Promise<boolean>): Promise<Response> => {
  const nonce = createPageNonce();
  const [html, first] = await Promise.all([readFile(join(rendererDir, 'index.html'), 'utf8'), isFirstRun()]);
  return createHtmlResponse(
    renderPageHtml(first ? removeFramePreloads(html) : html, nonce),
    createContentSecurityPolicy(nonce),
  );
};

const createCrashPageResponse = (address: string, translator: HostTranslator): Response => {
  const nonce = createPageNonce();
  return createHtmlResponse(renderCrashPage(address, nonce, translator), createCrashPagePolicy(nonce));
};

const createPhotoResponse = async (photo: RunningCompanion['photo'], pathname: string): Promise<Response> => {
  const ref = parsePhotoPath(pathname);
  const found = ref === null ? null : await photo(ref);
  if (found === null) return createNotFoundResponse();
  const headers = { ...photoHeaders, 'Content-Type': found.contentType };
  if ('bytes' in found) return new Response(new Uint8Array(found.bytes), { headers });
  const file = await stat(found.path).catch(() => null);
  return file === null
    ? createNotFoundResponse()
    : new Response(toBodyStream(createReadStream(found.path)), { headers });
};

const createExportResponse = async (found: ExportedFile | null): Promise<Response> => {
  const size = found && (await stat(found.path).catch(() => null))?.size;
  if (found === null || size == null) return createNotFoundResponse();
  const headers = {
    'Content-Type': 'application/octet-stream',
    'Content-Length': String(size),
    'Content-Disposition': `attachment; filename="${found.name}"`,
    'Cache-Control': 'no-store',
  };
  const bytes = createReadStream(found.path);
  bytes.once('close', () => {
    if (bytes.readableEnded) found.remove();
  });
  return new Response(toBodyStream(bytes), { headers });
};

const createFileResponse = async (rendererDir: string, pathname: string): Promise<Response> => {
  const path = normalize(join(rendererDir, pathname));
  const contentType = contentTypes[extname(path)];
  if (!path.startsWith(rendererDir + sep) || contentType === undefined) return createNotFoundResponse();
  const bytes = await readFile(path).catch(() => null);
  if (bytes === null) return createNotFoundResponse();
  return new Response(bytes, {
    headers: { 'Content-Type': contentType, 'X-Content-Type-Options': 'nosniff' },
  });
};

export const warmUpResponses = async (): Promise<void> => {
  const { url } = new Request(appOrigin);
  await new Response(url).text();
};

type AppProtocolContext = {
  rendererDir: string;
  photo: RunningCompanion['photo'];
  exportedFile: (exportId: string) => Promise<ExportedFile | null>;
  /** Returns false while the answer is unknown, because the page must not wait. */
  isFirstRun: () => Promise<boolean>;
  translator: HostTranslator;
};

export const serveAppProtocol = ({
  rendererDir,
  photo,
  exportedFile,
  isFirstRun,
  translator,
}: AppProtocolContext): void =>
  protocol.handle(appScheme, async (request) => {
    if (!isOwnAddress(request.url) || request.method !== 'GET') return createNotFoundResponse();
    if (isCrashPageAddress(request.url)) return createCrashPageResponse(request.url, translator);
    const pathname = decodeURIComponent(new URL(request.url).pathname);
    if (pathname === '/' || pathname === '/index.html') return createPageResponse(rendererDir, isFirstRun);
    if (/^\/(listing-|bound-)?photos\//.test(pathname))
      return createPhotoResponse(photo, new URL(request.url).pathname);
    const exportId = /^\/exports\/([^/]+)$/.exec(pathname)?.[1];
    if (exportId !== undefined) return createExportResponse(await exportedFile(exportId));
    return createFileResponse(rendererDir, pathname);
  });
