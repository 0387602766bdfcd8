import { spawn } from 'node:child_process';
import { isAbsolute, join } from 'node:path';
import { randomBytes } from 'node:crypto';
import { chmod, lstat, mkdir, readdir, rmdir, stat, writeFile } from 'node:fs/promises';
import type { Clock } from '../core/base/ports.ts';
import { discardFile } from '../disk/changeFiles.ts';
import { createPageNonce } from '../host/rendererPage.ts';
import { getSystemErrorCode } from '../loopback/http.ts';
import { escapeHtml } from '../text/escapes.ts';
import type { WindowLink } from './startUi.ts';

const openers: Partial<Record<NodeJS.Platform, (target: string) => [string, string[]]>> = {
  darwin: (target) => ['open', [target]],
  win32: (target) => ['rundll32', ['url.dll,FileProtocolHandler', target]],
};

/** No shell is used, so that the target is never parsed as a command. Returns whether an opener exists. */
const openWithSystem = (target: string, env: NodeJS.ProcessEnv): Promise<boolean> => {
  const [command, args] = openers[process.platform]?.(target) ?? ['xdg-open', [target]];
  return new Promise((resolve) => {
    const opener = spawn(command, args, { detached: true, stdio: 'ignore', env });
    opener.once('error', () => resolve(false));
    opener.once('spawn', () => {
      opener.unref();
      resolve(true);
    });
  });
};

/** Returns whether an opener exists. Other users can read process arguments, so never pass a web address. */
export const openFileInBrowser = async (path: string, env: NodeJS.ProcessEnv = process.env): Promise<boolean> =>
  isAbsolute(path) && (await openWithSystem(path, env));

const pageFileName = /^open-(\d+)-[\w-]{22}\.html$/;
const showAfterMs = 10_000;
const maxPageMs = 60_000;

/**
 * Returns the folder for link pages, directly in the home folder. It is neither hidden nor temporary because snap
 * browsers cannot read such folders, not in Documents because macOS asks for permission there, and has no spaces in its
 * name because some openers do not support them.
 */
export const getLinkFolder = (home: string): string => join(home, 'listing-companion-link');

const removeEmptyFolder = (folder: string): Promise<void> => rmdir(folder).catch(() => undefined);

const isProcessRunning = (pid: number): boolean => {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // EPERM means that a process of another user has this pid.
    return getSystemErrorCode(error) === 'EPERM';
  }
};

/** Removes pages that a crash has left. A page is stale if its companion no longer runs or the page is too old. */
export const removeStaleLinks = async (folder: string, now: number): Promise<void> => {
  for (const file of await readdir(folder).catch(() => [])) {
    const pid = pageFileName.exec(file)?.[1];
    if (pid === undefined) continue;
    const path = join(folder, file);
    const madeAt = await stat(path).then(
      ({ mtimeMs }) => mtimeMs,
      () => now,
    );
    if (!isProcessRunning(Number(pid)) || now - madeAt > maxPageMs) await discardFile(path);
  }
  await removeEmptyFolder(folder);
};

type Page = { url: string; heading: string; label: string; language: string };

/** A redirect by script leaves no history entry. The meta refresh is for browsers without scripts. */
const renderLinkPage = ({ url, heading, label, language }: Page): string => {
  const nonce = createPageNonce();
  // An unescaped `<` could close the script element.
  const target = JSON.stringify(url).replaceAll('<', '\\u003c');
  return `<!doctype html>
<html lang="${escapeHtml(language)}">
<head>
<meta charset="utf-8">
<meta name="referrer" content="no-referrer">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; script-src 'nonce-${nonce}'; style-src 'nonce-${nonce}'">
<meta http-equiv="refresh" content="0; url=${escapeHtml(url)}">
<title>Listing Companion</title>
<style nonce="${nonce}">
body { display: grid; place-content: center; min-height: 100vh; margin: 0; padding: 24px; box-sizing: border-box;
  color: #221f1b; background: #faf8f5; font: 16px/1.5 system-ui, sans-serif; }
h1 { margin: 0 0 8px; font-size: 22px; font-weight: 650; }
p { margin: 0; }
a { color: inherit; }
@media (prefers-color-scheme: dark) { body { color: #ece8e1; background: #171513; } }
</style>
<script nonce="${nonce}">location.replace(${target})</script>
</head>
<body><main><h1>${escapeHtml(heading)}</h1><p><a rel="noreferrer" href="${escapeHtml(url)}">${escapeHtml(label)}</a></p></main></body>
</html>
`;
};

const preparePrivateFolder = async (folder: string): Promise<void> => {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  if (!(await lstat(folder)).isDirectory()) throw new Error('Not a folder');
  await chmod(folder, 0o700);
};

const writeLinkPage = async (folder: string, page: string): Promise<string> => {
  const path = join(folder, `open-${process.pid}-${randomBytes(16).toString('base64url')}.html`);
  for (let left = 2; ; left -= 1) {
    await preparePrivateFolder(folder);
    try {
      await writeFile(path, page, { flag: 'wx', mode: 0o600 });
      return path;
    } catch (error) {
      // If another companion has removed the empty folder, create the folder again.
      if (left === 0 || getSystemErrorCode(error) !== 'ENOENT') throw error;
    }
  }
};

type Opener = Pick<Page, 'heading' | 'language'> & {
  folder: string;
  clock: Clock;
  open: (path: string) => Promise<boolean>;
};

type OpenedPage = { opened: boolean; over: AbortSignal; stop: () => Promise<void> };

/** Other users can read process arguments, so the address is passed in a file. The file is removed after a minute. */
const openThroughPage = async (parts: Opener & Page): Promise<OpenedPage> => {
  const { folder, clock, open } = parts;
  const over = new AbortController();
  const path = await writeLinkPage(folder, renderLinkPage(parts)).catch(() => null);
  const stop = async (): Promise<void> => {
    over.abort();
    if (path === null) return;
    await discardFile(path);
    await removeEmptyFolder(folder);
  };
  const opened = path !== null && (await open(path));
  if (opened) void clock.sleep(maxPageMs, over.signal).then(stop, () => undefined);
  else await stop();
  return { opened, over: over.signal, stop };
};

type OpenWindowParts = Opener & {
  /** The link is used up when the page opens, so it must differ from the printed link. */
  link: WindowLink;
  label: string;
  /** Called if no page opens, because the person must then open a link by hand. */
  notShown: () => void;
};

export const openWindow = async (parts: OpenWindowParts): Promise<{ stop: () => Promise<void> }> => {
  const { link, clock, notShown } = parts;
  const { opened, over, stop } = await openThroughPage({ ...parts, url: link.url });
  if (!opened) {
    notShown();
    return { stop };
  }
  void link.used.then(stop);
  void clock.sleep(showAfterMs, over).then(notShown, () => undefined);
  return { stop };
};

/**
 * Opens an http or https address through a local file that redirects to it, because other users can read process
 * arguments and the address may contain a sign-in secret.
 */
export const createLinkOpener = (
  opener: () => Opener,
): { open: (address: string) => Promise<void>; stop: () => Promise<void> } => {
  const open = new Set<OpenedPage>();
  return {
    open: async (address) => {
      const url = URL.canParse(address) ? new URL(address) : null;
      if (url === null || (url.protocol !== 'https:' && url.protocol !== 'http:')) return;
      const openedPage = await openThroughPage({ ...opener(), url: url.href, label: url.host });
      if (openedPage.over.aborted) return;
      open.add(openedPage);
      openedPage.over.addEventListener('abort', () => open.delete(openedPage), { once: true });
    },
    stop: async () => void (await Promise.all([...open].map((openedPage) => openedPage.stop()))),
  };
};
