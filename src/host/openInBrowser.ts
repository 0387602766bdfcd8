import { spawn } from 'node:child_process';
import { isAbsolute } from 'node:path';

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
export const openPage = async (path: string, env: NodeJS.ProcessEnv = process.env): Promise<boolean> =>
  isAbsolute(path) && (await open(path, env));
