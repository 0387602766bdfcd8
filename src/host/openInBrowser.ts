import { spawn } from 'node:child_process';

const openers: Partial<Record<NodeJS.Platform, (url: string) => [string, string[]]>> = {
  darwin: (url) => ['open', [url]],
  win32: (url) => ['rundll32', ['url.dll,FileProtocolHandler', url]],
};

/** Opens a web address with the system's opener, never through a shell; does nothing where there is no opener. */
export const openInBrowser = async (address: string): Promise<void> => {
  const url = URL.canParse(address) ? new URL(address) : null;
  if (url === null || (url.protocol !== 'https:' && url.protocol !== 'http:')) return;
  const [command, args] = openers[process.platform]?.(url.href) ?? ['xdg-open', [url.href]];
  await new Promise<void>((resolve) => {
    const opener = spawn(command, args, { detached: true, stdio: 'ignore' });
    opener.once('error', () => resolve());
    opener.once('spawn', () => {
      opener.unref();
      resolve();
    });
  });
};
