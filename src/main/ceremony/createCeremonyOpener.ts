import { BrowserWindow, type WebContents } from 'electron';
import { createCeremonyServer } from '../../host/ceremony/ceremonyServer.ts';
import type { RunningCompanion } from '../../host/runCompanion.ts';
import { appOrigin } from '../appAddress.ts';
import { chooseCeremonyWay } from './chooseCeremonyWay.ts';

type OpenerContext = {
  running: Pick<RunningCompanion, 'ceremonies' | 'photo' | 'handlers'>;
  rendererDir: string;
  platform: NodeJS.Platform;
  openInBrowser: (url: string) => Promise<void>;
};

export type CeremonyOpener = {
  /** Shows a ceremony on top of the window that shows `contents`; null if no window asks for it. */
  open: (contents: WebContents | null, token: string) => Promise<void>;
  stop: () => Promise<void>;
};

/** The page gets no preload, so it reaches nothing but its own server. */
const openCeremonyWindow = (parent: BrowserWindow | null, url: string): BrowserWindow => {
  const window = new BrowserWindow({
    width: 480,
    height: 560,
    ...(parent === null ? {} : { parent, modal: true }),
    show: false,
    minimizable: false,
    maximizable: false,
    fullscreenable: false,
    webPreferences: {
      contextIsolation: true,
      sandbox: true,
      nodeIntegration: false,
      webSecurity: true,
      spellcheck: false,
    },
  });
  window.removeMenu();
  window.once('ready-to-show', () => window.show());
  // Ignore a rejection: the window has closed.
  void window.loadURL(url).catch(() => undefined);
  return window;
};

/** Lets the system's dialog end the ceremony. The window reads the result from the core. */
const runSystemPrompt = async (core: RunningCompanion['ceremonies'], token: string): Promise<void> => {
  const { drawn } = await core.openCeremony(token, { origin: appOrigin });
  if (drawn.of === 'registration') await core.registerSystemPrompt(token);
  else await core.confirmWithSystemPrompt(token);
};

/** Creates the part of the app that shows a ceremony outside of the window that asks for it. */
export const createCeremonyOpener = (context: OpenerContext): CeremonyOpener => {
  const { running, platform, openInBrowser } = context;
  const { ceremonies: core } = running;
  const server = createCeremonyServer(context);

  const openPageWindow = async (contents: WebContents | null, token: string): Promise<void> => {
    const url = await server.createPageUrl(token);
    const window = openCeremonyWindow(contents && BrowserWindow.fromWebContents(contents), url);
    // A closed window cannot confirm any more.
    window.once('closed', () => core.cancelCeremony(token));
  };

  return {
    open: async (contents, token) => {
      core.requireBegunCeremony(token);
      const { hasSystemPrompt } = await running.handlers['proofs.state']({});
      const way = chooseCeremonyWay(platform, core.readCeremonyKinds(token), hasSystemPrompt);
      if (way === 'window') return openPageWindow(contents, token);
      if (way === 'browser') return openInBrowser(await server.createPageUrl(token));
      // The dialog stays open for as long as the person needs. The core records a refusal.
      runSystemPrompt(core, token).catch(() => undefined);
    },
    stop: server.stop,
  };
};
