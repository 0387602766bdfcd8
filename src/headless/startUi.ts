import express, { type Express, type NextFunction, type Request, type Response } from 'express';
import helmet from 'helmet';
import { createServer, type Server } from 'node:http';
import { readFileSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { Problem, problemView } from '../core/problem.ts';
import { topics } from '../core/ports.ts';
import { contentSecurityPolicy, newNonce, rendererPage } from '../host/rendererPage.ts';
import type { Running } from '../host/runCompanion.ts';
import { serveCalls } from '../ipc/serveCalls.ts';
import { companionWindow } from './companionWindow.ts';
import { refusalOf } from './guard.ts';
import { plainPage } from './plainPage.ts';
import { receiveUpload } from './receiveUpload.ts';
import { servePhoto } from './servePhoto.ts';
import { serveSockets } from './serveSockets.ts';
import { createSession, type Session } from './session.ts';

type Parts = { running: Running; rendererDir: string; port: number };

const windowScript = `window.companion=(${companionWindow.toString()})(${JSON.stringify(topics)})`;

/** Lets the browser in that opens the link first; every other needs the cookie that this one got. */
const enterByLink = (session: Session) => (request: Request, response: Response, next: NextFunction) => {
  const token = request.path === '/' ? request.query['token'] : undefined;
  if (session.holds(request.headers.cookie)) return token === undefined ? next() : response.redirect(303, '/');
  const cookie = typeof token === 'string' ? session.enter(token) : null;
  if (cookie !== null) return response.set('Set-Cookie', cookie).redirect(303, '/');
  const title = token === undefined ? 'Open the companion by its link' : 'This link has been used';
  const sentence =
    'The link printed at the start works once, in one browser. Go back to that browser, or start the companion again for a new link.';
  response.status(401).type('html').send(plainPage(title, sentence));
};

const sendPage = (page: string, host: string) => (_request: Request, response: Response) => {
  const nonce = newNonce();
  response.set('Content-Security-Policy', contentSecurityPolicy(nonce, [`ws://${host}`]));
  response.set('Cache-Control', 'no-store');
  response.type('html').send(rendererPage(page, nonce, windowScript));
};

const uiApp = ({ running, rendererDir }: Parts, session: Session, host: string): Express => {
  const page = readFileSync(join(rendererDir, 'index.html'), 'utf8');
  const app = express().disable('x-powered-by');
  app.use(
    helmet({
      contentSecurityPolicy: { useDefaults: false, directives: { defaultSrc: ["'none'"], frameAncestors: ["'none'"] } },
      strictTransportSecurity: false,
      referrerPolicy: { policy: 'no-referrer' },
      crossOriginEmbedderPolicy: false,
    }),
  );
  app.use((request, response, next) => {
    const refusal = refusalOf(request, host);
    if (refusal === null) return next();
    response.status(refusal.status).type('text').send(refusal.sentence);
  });
  app.use(enterByLink(session));
  app.get(['/', '/index.html'], sendPage(page, host));
  app.post('/intake', receiveUpload(running.receivePhoto));
  app.get(['/photos/{*rest}', '/listing-photos/{*rest}', '/bound-photos/{*rest}'], servePhoto(running.photo));
  app.use(express.static(rendererDir, { index: false, immutable: true, maxAge: '1y' }));
  app.use((_request, response) => void response.sendStatus(404));
  app.use((error: unknown, _request: Request, response: Response, _next: NextFunction) => {
    if (response.headersSent) return void response.destroy();
    response.status(500).json(problemView(error));
  });
  return app;
};

const listen = async (server: Server, port: number): Promise<number> => {
  await new Promise<void>((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => {
      const taken = error.code === 'EADDRINUSE';
      const sentence = taken
        ? `Port ${port} is taken; choose another one with --ui-port.`
        : `The window cannot be served on port ${port}; choose another one with --ui-port.`;
      reject(new Problem('UI_PORT', sentence, { cause: error }));
    });
    server.listen(port, '127.0.0.1', resolve);
  });
  return (server.address() as AddressInfo).port;
};

/** Serves the window to a browser on this machine. `url` is the link that lets the first browser in. */
export const startUi = async (parts: Parts): Promise<{ url: string; stop: () => Promise<void> }> => {
  const server = createServer();
  const port = await listen(server, parts.port);
  const host = `127.0.0.1:${port}`;
  const session = createSession(port);
  const serve = serveCalls(parts.running.handlers, problemView);
  server.on('request', uiApp(parts, session, host));
  const sockets = serveSockets({
    server,
    refusal: (request) => refusalOf(request, host)?.status ?? (session.holds(request.headers.cookie) ? null : 401),
    serve: (name, input) => {
      parts.running.seen();
      return serve(name, input);
    },
    onChanged: parts.running.onChanged,
  });
  return {
    url: `http://${host}/?token=${session.linkToken}`,
    stop: async () => {
      sockets.stop();
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      server.closeAllConnections();
      await closed;
    },
  };
};
