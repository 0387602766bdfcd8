import type { CeremonyServerContext } from './ceremonyCore.ts';
import { createLazyHandler, createServer, serveSequentially } from '../../loopback/http.ts';
import { listenOnLoopback } from '../../loopback/listenOnLoopback.ts';

/** The server of the ceremony page. Passkeys belong to `localhost`, which the window's own host name must not be. */
export type CeremonyServer = {
  /** Starts to listen with the first call. Returns the origin of the page. */
  readOrigin: () => Promise<string>;
  createPageUrl: (token: string) => Promise<string>;
  stop: () => Promise<void>;
};

const startListening = async (context: CeremonyServerContext) => {
  const server = createServer();
  const { port, stop } = await listenOnLoopback(server, 0);
  const host = `localhost:${port}`;
  const serve = createLazyHandler(async () => (await import('./ceremonyApp.ts')).createCeremonyApp(context, host));
  server.on(
    'request',
    serveSequentially((request, response) => void serve(request, response).catch(() => response.destroy())),
  );
  return { origin: `http://${host}`, stop };
};

export const createCeremonyServer = (context: CeremonyServerContext): CeremonyServer => {
  let listening: ReturnType<typeof startListening> | null = null;
  const readOrigin = async (): Promise<string> => {
    const starting = (listening ??= startListening(context));
    // After a failure, the next ceremony tries again.
    starting.catch(() => (listening = null));
    return (await starting).origin;
  };
  return {
    readOrigin,
    createPageUrl: async (token) => `${await readOrigin()}/presence/${encodeURIComponent(token)}`,
    stop: async () => {
      const started = await listening?.catch(() => null);
      await started?.stop();
    },
  };
};
