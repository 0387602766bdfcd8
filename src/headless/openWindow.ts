import { spawn } from 'node:child_process';
import { isAbsolute, join } from 'node:path';
import { randomBytes } from 'node:crypto';
import { chmod, lstat, mkdir, readdir, rmdir, stat, writeFile } from 'node:fs/promises';
import type { Clock } from '../core/base/ports.ts';
import { discardFile } from '../disk/changeFiles.ts';
import { newNonce } from '../host/rendererPage.ts';
import { systemCodeOf } from '../loopback/http.ts';
import type { WindowLink } from './startUi.ts';

const openers: Partial<Record<NodeJS.Platform, (target: string) => [string, string[]]>> = {
  darwin: (target) => ['open', [target]],
  win32: (target) => ['rundll32', ['url.dll,FileProtocolHandler', target]],
};

/** Hands something to the system's opener, never through a shell. Answers whether there is one. */
const open = (target: string, env: NodeJS.ProcessEnv): Promise<boolean> => {
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
 * Opens a page that lies in a file, by its whole path. Answers whether something was there to open it with. What is opened
 * stands among the arguments of a process, where other users of the machine can read it: so never an address.
 */
export const openFileInBrowser = async (path: string, env: NodeJS.ProcessEnv = process.env): Promise<boolean> =>
  isAbsolute(path) && (await open(path, env));

const name = /^open-(\d+)-[\w-]{22}\.html$/;
const showAfterMs = 10_000;
const longestMs = 60_000;

/**
 * Where the page with the link lies for a moment. In the home, as nobody else reads there; not hidden and not in the
 * system's folder for temporary files, as browsers that come as snaps see neither; not among the downloads or documents,
 * as macOS would ask the person about these first; and without a space, which some openers trip over.
 */
export const linkFolder = (home: string): string => join(home, 'listing-companion-link');

const removeIfEmpty = (folder: string): Promise<void> => rmdir(folder).catch(() => undefined);

const isRunning = (pid: number): boolean => {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // A process of somebody else, which the number went to.
    return systemCodeOf(error) === 'EPERM';
  }
};

/** Removes pages that a crash left behind: those of companions that do not run, and those older than a page may be. */
export const removeStaleLinks = async (folder: string, now: number): Promise<void> => {
  for (const file of await readdir(folder).catch(() => [])) {
    const pid = name.exec(file)?.[1];
    if (pid === undefined) continue;
    const path = join(folder, file);
    const madeAt = await stat(path).then(
      ({ mtimeMs }) => mtimeMs,
      () => now,
    );
    if (!isRunning(Number(pid)) || now - madeAt > longestMs) await discardFile(path);
  }
  await removeIfEmpty(folder);
};

const escape = (text: string): string =>
  text.replace(/[&<>"']/g, (character) => `&#${String(character.codePointAt(0))};`);

type Page = { url: string; heading: string; label: string; language: string };

/** Leads on to the link by script, which leaves no way back to the file, and without script by itself, too. */
const pageOf = ({ url, heading, label, language }: Page): string => {
  const nonce = newNonce();
  // As text of a script: nothing in it may end that.
  const target = JSON.stringify(url).replaceAll('<', '\\u003c');
  return `<!doctype html>
<html lang="${escape(language)}">
<head>
<meta charset="utf-8">
<meta name="referrer" content="no-referrer">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; script-src 'nonce-${nonce}'; style-src 'nonce-${nonce}'">
<meta http-equiv="refresh" content="0; url=${escape(url)}">
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
<body><main><h1>${escape(heading)}</h1><p><a rel="noreferrer" href="${escape(url)}">${escape(label)}</a></p></main></body>
</html>
`;
};

/** Makes the folder, or makes it private; throws where something else is in its place. */
const preparePrivate = async (folder: string): Promise<void> => {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  if (!(await lstat(folder)).isDirectory()) throw new Error('Not a folder');
  await chmod(folder, 0o700);
};

const write = async (folder: string, page: string): Promise<string> => {
  const path = join(folder, `open-${process.pid}-${randomBytes(16).toString('base64url')}.html`);
  for (let left = 2; ; left -= 1) {
    await preparePrivate(folder);
    try {
      await writeFile(path, page, { flag: 'wx', mode: 0o600 });
      return path;
    } catch (error) {
      // Another companion may have found the folder empty and taken it away meanwhile.
      if (left === 0 || systemCodeOf(error) !== 'ENOENT') throw error;
    }
  }
};

type Opener = Pick<Page, 'heading' | 'language'> & {
  folder: string;
  clock: Clock;
  /** Opens the page that lies there; false where nothing can. */
  open: (path: string) => Promise<boolean>;
};

/** `over` is aborted when the page is gone. */
type Opened = { opened: boolean; over: AbortSignal; stop: () => Promise<void> };

/**
 * Opens an address in the person's browser by a page in a file, because the arguments of the program that opens it are for
 * all users of the machine to read. The file goes after a minute and at the stop.
 */
const openByPage = async (parts: Opener & Page): Promise<Opened> => {
  const { folder, clock, open } = parts;
  const over = new AbortController();
  const path = await write(folder, pageOf(parts)).catch(() => null);
  const stop = async (): Promise<void> => {
    over.abort();
    if (path === null) return;
    await discardFile(path);
    await removeIfEmpty(folder);
  };
  const opened = path !== null && (await open(path));
  if (opened) void clock.sleep(longestMs, over.signal).then(stop, () => undefined);
  else await stop();
  return { opened, over: over.signal, stop };
};

type Parts = Opener & {
  /** A link of its own: it is used up by the page that comes. */
  link: WindowLink;
  label: string;
  /** No page came: the person opens a link by hand. */
  notShown: () => void;
};

/** Opens the window in the person's browser. The page goes as soon as another one has come by its link, too. */
export const openWindow = async (parts: Parts): Promise<{ stop: () => Promise<void> }> => {
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
 * Opens web addresses in the person's browser, as those to sign in and to pay: whoever reads one of these may use it, so
 * none stands in an argument. Does nothing with other addresses, and where nothing opens pages.
 */
export const createLinkOpener = (
  opener: () => Opener,
): { open: (address: string) => Promise<void>; stop: () => Promise<void> } => {
  const open = new Set<Opened>();
  return {
    open: async (address) => {
      const url = URL.canParse(address) ? new URL(address) : null;
      if (url === null || (url.protocol !== 'https:' && url.protocol !== 'http:')) return;
      const one = await openByPage({ ...opener(), url: url.href, label: url.host });
      if (one.over.aborted) return;
      open.add(one);
      one.over.addEventListener('abort', () => open.delete(one), { once: true });
    },
    stop: async () => void (await Promise.all([...open].map((one) => one.stop()))),
  };
};
