import { app, clipboard, shell as system } from 'electron';
import { discardTreeSync } from '../disk/changeFiles.ts';
import { systemClock } from '../core/base/clock.ts';
import { createProblem } from '../core/base/problem.ts';
import type { SystemPrompt } from '../core/presence/presenceContext.ts';
import type { Shell } from '../host/shell.ts';
import type { CrashLog } from './system/crashLog.ts';
import { addFromFileManager, startAtLogin } from './system/startAtLogin.ts';
import {
  type UpdateService,
  createUpdateService,
  createElectronUpdater,
  createLazyUpdater,
} from './updates/updates.ts';
import { randomBytes } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Notify } from '../core/base/ports.ts';
import { createLog, type HostLog } from '../host/createLog.ts';
import { clearKeychainSecrets, getKeychainServiceName, openKeychain } from '../host/keychain.ts';
import { createLabelFolder, discardOldLabelFolders } from '../host/labels/labelFolders.ts';
import type { Options } from '../host/options.ts';
import type { StartReport } from '../host/startReport.ts';
import { runCompanion, type HostParts, type RunningCompanion } from '../host/runCompanion.ts';
import { openExternalLink } from './guardContents.ts';
import { canUpdateItself } from './installedCopy.ts';
import { createPhotoProcessStarters } from './photoProcesses.ts';
import { getAppStartCommand } from './system/getAppStartCommand.ts';

let pdfFolder: Promise<string> | undefined;

/** The folder of the PDFs of this run. It stays until the app quits, because a PDF program reads its file later. */
const createPdfFolder = async (): Promise<string> => {
  const folder = await createLabelFolder(tmpdir());
  app.once('quit', () => discardTreeSync(folder));
  return folder;
};

const openPdf = async (pdf: Uint8Array): Promise<void> => {
  const folder = await (pdfFolder ??= createPdfFolder());
  const path = join(folder, `labels-${randomBytes(4).toString('hex')}.pdf`);
  await writeFile(path, pdf);
  if ((await system.openPath(path)) !== '') throw createProblem('PDF_NOT_SHOWN');
};

export const createDesktopShell = (updates: UpdateService | null, crashes: Pick<CrashLog, 'list'>): Shell => ({
  state: async () => ({
    startAtLogin: await startAtLogin.get(),
    addFromFileManager: await addFromFileManager.get(),
    update: updates?.state() ?? null,
  }),
  startAtLogin: startAtLogin.set,
  addFromFileManager: addFromFileManager.set,
  showLogs: async (dir) => {
    const why = await system.openPath(dir);
    if (why !== '') throw createProblem('LOGS_NOT_SHOWN', { values: { dir } });
  },
  openPdf,
  update: async (act) => {
    if (updates === null) throw createProblem('NOT_INSTALLED');
    await updates.act(act);
  },
  useClipboard: async (use) => {
    const text = await clipboard.readText();
    await use(text);
    // If the person has copied another text during the call, that text stays on the clipboard.
    if ((await clipboard.readText()) === text) clipboard.clear();
  },
  crashes: crashes.list,
});

/** `updates` is null if this copy cannot update itself. */
export type Backend = { running: RunningCompanion; log: HostLog; updates: UpdateService | null };

type BackendContext = {
  outDir: string;
  notify: Notify;
  showWindow: () => void;
  drawn: Promise<void>;
  texts: HostParts['texts'];
  crashes: CrashLog;
  systemPrompt: SystemPrompt | undefined;
  startReport: StartReport;
};

/** An update may restart the app only if no work runs and no approval is pending or in flight. */
const isCompanionIdle = async ({ handlers, work }: RunningCompanion): Promise<boolean> =>
  work().running === 0 && (await handlers['approvals.list']({})).length === 0;

/** This module imports large modules, so it is loaded while Chromium starts. */
export const startBackend = async (
  options: Options,
  { outDir, notify, showWindow, drawn, texts, crashes, systemPrompt, startReport }: BackendContext,
): Promise<Backend> => {
  const log = createLog(options);
  void discardOldLabelFolders(tmpdir(), systemClock.now());
  const { isPackaged: packaged } = app;
  const copy = { packaged, platform: process.platform, env: process.env, resourcesDir: process.resourcesPath };
  const updates = canUpdateItself(copy)
    ? createUpdateService({
        updater: createLazyUpdater(createElectronUpdater),
        mayQuit: () => isCompanionIdle(running),
        log: log.log,
      })
    : null;
  const running = await runCompanion(options, {
    secrets: await openKeychain({ kind: options.keychain, service: getKeychainServiceName(options) }),
    forgetSecrets: () => clearKeychainSecrets(options),
    quit: () => app.quit(),
    notify,
    showWindow,
    drawn,
    texts,
    openLink: openExternalLink,
    ...createPhotoProcessStarters(outDir),
    resourcesDir: app.isPackaged ? process.resourcesPath : join(app.getAppPath(), 'resources'),
    version: app.getVersion(),
    ...{ start: getAppStartCommand(), startReport },
    bundleFile: join(outDir, 'listing-companion.mcpb'),
    log,
    shell: createDesktopShell(updates, crashes),
    systemPrompt,
  });
  return { running, log, updates };
};
