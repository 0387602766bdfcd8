import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import * as z from 'zod';
import type { Notify } from '../core/ports.ts';
import { Problem, problem } from '../core/problem.ts';
import { keychainService, openKeychain } from '../host/keychain.ts';
import { createLog, type HostLog } from '../host/createLog.ts';
import { openInBrowser } from '../host/openInBrowser.ts';
import { parseOptions, type Options } from '../host/options.ts';
import { plainLine } from '../host/plainLine.ts';
import { runCompanion, type HostParts } from '../host/runCompanion.ts';
import { createHostWords } from '../host/words.ts';
import { desktopNotifier } from './desktopNotifier.ts';
import { startUi } from './startUi.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
const rendererDir = join(root, 'out', 'renderer');

const showOnDesktop = desktopNotifier();
/** The languages of a terminal's session, as POSIX names them. */
const { env } = process;
const words = createHostWords([env['LC_ALL'] || env['LC_MESSAGES'] || env['LANG'] || 'en']);
const notify: Notify = (notice) => {
  const title = words.told(notice.says?.title, notice.title);
  console.error(`For you: ${plainLine(title, 120)}`);
  showOnDesktop({ title, text: words.told(notice.says?.text, notice.text) });
};

const hostParts = async (options: Options, log: HostLog): Promise<HostParts> => ({
  secrets: await openKeychain({ kind: options.keychain, service: keychainService(options) }),
  notify,
  openLink: openInBrowser,
  photoWorkerUrl: new URL('../core/photos/worker.ts', import.meta.url),
  writerWorkerUrl: new URL('../practice/writer/worker.ts', import.meta.url),
  resourcesDir: join(root, 'resources'),
  version: z.object({ version: z.string() }).parse(JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')))
    .version,
  log,
});

/** Stops once on the first signal; a second one does not wait. */
const stopOnSignal = (stop: () => Promise<void>): void => {
  let stopping = false;
  const onSignal = (): void => {
    if (stopping) process.exit(130);
    stopping = true;
    stop().then(
      () => process.exit(0),
      () => process.exit(1),
    );
  };
  process.on('SIGINT', onSignal);
  process.on('SIGTERM', onSignal);
};

const start = async (options: Options): Promise<void> => {
  if (!existsSync(join(rendererDir, 'index.html'))) {
    throw problem('NOT_BUILT');
  }
  const log = createLog(options);
  const running = await runCompanion(options, await hostParts(options, log));
  words.follow(running);
  const ui = await startUi({ running, rendererDir, port: options.uiPort }).catch(async (error: unknown) => {
    await running.stop();
    throw error;
  });
  stopOnSignal(async () => {
    await ui.stop();
    await running.stop();
    await log.close();
  });
  console.log(JSON.stringify({ ui: ui.url, bridge: running.bridgeUrl, service: running.serviceUrl }));
  if (options.open) await openInBrowser(ui.url);
};

const parsed = parseOptions(process.argv.slice(2));
if (!parsed.ok) {
  console.error(parsed.sentence);
  process.exit(2);
}
try {
  await start(parsed.options);
} catch (error) {
  console.error(error instanceof Problem ? error.message : error);
  process.exit(1);
}
