import { spawn } from 'node:child_process';
import { isAbsolute, join } from 'node:path';
import { randomBytes } from 'node:crypto';
import { chmod, lstat, mkdir, readdir, rmdir, stat, writeFile } from 'node:fs/promises';
import type { Clock } from '../core/base/ports.ts';
import { discardFile } from '../disk/changeFiles.ts';
import { createPageNonce } from '../host/rendererPage.ts';
import { readSystemErrorCode } from '../loopback/http.ts';
import type { WindowLink } from './startUi.ts';

const openers: Partial<Record<NodeJS.Platform, (target: string) => [string, string[]]>> = {
  darwin: (target) => ['open', [target]],
  win32: (target) => ['rundll32', ['url.dll,FileProtocolHandler', target]],
};

/** Opens a target with the system's opener, without a shell. Returns whether an opener is available. */
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

/**
 * Opens a local page by its absolute path. Returns whether an opener is available. The target is a process argument,
 * which other users of the machine can read, so it must never be a web address.
 */
export const openFileInBrowser = async (path: string, env: NodeJS.ProcessEnv = process.env): Promise<boolean> =>
  isAbsolute(path) && (await openWithSystem(path, env));

const pageFileName = /^open-(\d+)-[\w-]{22}\.html$/;
const showAfterMs = 10_000;
const maxPageMs = 60_000;

/**
 * Returns the folder for the temporary page with the link. It is in the home folder, where no other user can read. It
 * is not hidden and not in the temporary folder, because snap browsers can read neither. It is not in Downloads or
 * Documents, because macOS would ask the person for permission. Its name has no space, which some openers do not
 * support.
 */
export const getLinkFolder = (home: string): string => join(home, 'listing-companion-link');

const removeIfEmpty = (folder: string): Promise<void> => rmdir(folder).catch(() => undefined);

const isProcessRunning = (pid: number): boolean => {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // The pid now belongs to a process of another user.
    return readSystemErrorCode(error) === 'EPERM';
  }
};

/** Removes pages that a crash left behind: those of companions that no longer run, and those that are too old. */
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
  await removeIfEmpty(folder);
};

const escapeHtmlText = (text: string): string =>
  text.replace(/[&<>"']/g, (character) => `&#${String(character.codePointAt(0))};`);

type Page = { url: string; heading: string; label: string; language: string };

/**
 * Renders a page that redirects by script, which leaves no history entry, or by meta refresh if scripts are disabled.
 */
const renderLinkPage = ({ url, heading, label, language }: Page): string => {
  const nonce = createPageNonce();
  // Escapes `<`, so that the text cannot close the script element.
  const target = JSON.stringify(url).replaceAll('<', '\\u003c');
  return `<!doctype html>
<html lang="${escapeHtmlText(language)}">
<head>
<meta charset="utf-8">
<meta name="referrer" content="no-referrer">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; script-src 'nonce-${nonce}'; style-src 'nonce-${nonce}'">
<meta http-equiv="refresh" content="0; url=${escapeHtmlText(url)}">
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
<body><main><h1>${escapeHtmlText(heading)}</h1><p><a rel="noreferrer" href="${escapeHtmlText(url)}">${escapeHtmlText(label)}</a></p></main></body>
</html>
`;
};

/** Creates the folder and makes it private. Throws if the path is not a folder. */
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
      // Another companion may have removed the empty folder in the meantime.
      if (left === 0 || readSystemErrorCode(error) !== 'ENOENT') throw error;
    }
  }
};

type Opener = Pick<Page, 'heading' | 'language'> & {
  folder: string;
  clock: Clock;
  /** Opens the page at this path; returns false if there is no opener. */
  open: (path: string) => Promise<boolean>;
};

/** `over` aborts when the page is removed. */
type OpenedPage = { opened: boolean; over: AbortSignal; stop: () => Promise<void> };

/**
 * Opens an address in the person's browser through a page in a file, because all users of the machine can read process
 * arguments. The file is removed after a minute and when the companion stops.
 */
const openByPage = async (parts: Opener & Page): Promise<OpenedPage> => {
  const { folder, clock, open } = parts;
  const over = new AbortController();
  const path = await writeLinkPage(folder, renderLinkPage(parts)).catch(() => null);
  const stop = async (): Promise<void> => {
    over.abort();
    if (path === null) return;
    await discardFile(path);
    await removeIfEmpty(folder);
  };
  const opened = path !== null && (await open(path));
  if (opened) void clock.sleep(maxPageMs, over.signal).then(stop, () => undefined);
  else await stop();
  return { opened, over: over.signal, stop };
};

type OpenWindowParts = Opener & {
  /** A separate link, which is used up when the page opens. */
  link: WindowLink;
  label: string;
  /** Called if no page opened: the person must open a link by hand. */
  notShown: () => void;
};

/** Opens the window in the person's browser. The page is also removed as soon as its link was used. */
export const openWindow = async (parts: OpenWindowParts): Promise<{ stop: () => Promise<void> }> => {
  const { link, clock, notShown } = parts;
  const { opened, over, stop } = await openByPage({ ...parts, url: link.url });
  if (!opened) {
    notShown();
    return { stop };
  }
  void link.used.then(stop);
  void clock.sleep(showAfterMs, over).then(notShown, () => undefined);
  return { stop };
};

/**
 * Opens web addresses in the person's browser, including those for sign-in and payment. Such an address must not appear
 * in a process argument, because other users could read and use it. Ignores addresses that are not http or https.
 */
export const createLinkOpener = (
  opener: () => Opener,
): { open: (address: string) => Promise<void>; stop: () => Promise<void> } => {
  const open = new Set<OpenedPage>();
  return {
    open: async (address) => {
      const url = URL.canParse(address) ? new URL(address) : null;
      if (url === null || (url.protocol !== 'https:' && url.protocol !== 'http:')) return;
      const openedPage = await openByPage({ ...opener(), url: url.href, label: url.host });
      if (openedPage.over.aborted) return;
      open.add(openedPage);
      openedPage.over.addEventListener('abort', () => open.delete(openedPage), { once: true });
    },
    stop: async () => void (await Promise.all([...open].map((openedPage) => openedPage.stop()))),
  };
};
