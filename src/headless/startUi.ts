import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import { type IncomingMessage, createServer } from 'node:http';
import { countHostHeaders, getSystemErrorCode, isOriginFormRequest, serveSequentially } from '../loopback/http.ts';
import express, { Router, type Express, type NextFunction, type Request, type Response } from 'express';
import helmet from 'helmet';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as z from 'zod';
import { createProblem, Problem, toProblemView, createProblemText } from '../core/base/problem.ts';
import { topics, type Clock } from '../core/base/ports.ts';
import { createCeremonyServer, type CeremonyServer } from '../host/ceremony/ceremonyServer.ts';
import { createContentSecurityPolicy, createPageNonce, renderPageHtml } from '../host/rendererPage.ts';
import type { RunningCompanion } from '../host/runCompanion.ts';
import type { StartReport } from '../host/startReport.ts';
import type { CallHandlers, CallInput } from '../ipc/calls.ts';
import { createCallServer } from '../ipc/serveCalls.ts';
import {
  createCompanionWindow,
  openWindowConnection,
  type WindowProblems,
  createLinkTokenExchange,
  connectOtherTabs,
  createWindowSecret,
} from './companionWindow.ts';
import { listenOnLoopback } from '../loopback/listenOnLoopback.ts';
import { createUploadRoute, createExportRoute, createPhotoRoute } from './photoRoutes.ts';
import { serveSockets } from './serveSockets.ts';

const createRandomSecret = (): string => randomBytes(24).toString('base64url');
/** Host names are not case-sensitive, so the name has only hexadecimal digits. */
const createHostName = (): string => randomBytes(20).toString('hex');
const computeTextDigest = (value: string): Buffer => createHash('sha256').update(value).digest();
/** The comparison takes constant time, so that the time reveals nothing about the secret. */
const areSecretsEqual = (a: string, b: string): boolean => timingSafeEqual(computeTextDigest(a), computeTextDigest(b));

export type EntryLink = { token: string; used: Promise<void> };

/** The place of the windows of this process. A restart keeps it, so that open windows find the companion. */
export type WindowPlace = { session: WindowSession; port: number };

type WindowSession = {
  /**
   * The random host name of this run. Browsers store caches and permissions per host and port, and another server might
   * have used this port before.
   */
  name: string;
  newLink: () => EntryLink;
  enter: (token: string) => { secret: string } | 'used' | 'unknown';
  isSecret: (given: string) => boolean;
  /** A second secret, in the path of picture and upload requests, because an <img> cannot send the first one. */
  place: string;
  isPlace: (given: string) => boolean;
};

/** The session uses no cookie, because a browser would also send it to other servers on other ports of the host. */
const createWindowSession = (): WindowSession => {
  const [secret, place] = [createRandomSecret(), createRandomSecret()];
  const links: { token: string; use: (() => void) | null }[] = [];
  return {
    name: createHostName(),
    newLink: () => {
      const { promise: used, resolve } = Promise.withResolvers<void>();
      const token = createRandomSecret();
      links.push({ token, use: resolve });
      return { token, used };
    },
    enter: (token) => {
      const link = links.find((one) => areSecretsEqual(token, one.token));
      if (link === undefined) return 'unknown';
      if (link.use === null) return 'used';
      link.use();
      link.use = null;
      return { secret };
    },
    isSecret: (given) => areSecretsEqual(given, secret),
    place,
    isPlace: (given) => areSecretsEqual(given, place),
  };
};

type RequestRefusal = { status: number; sentence: string };

const getHeaderValue = (request: IncomingMessage, name: string): string | undefined => {
  const value = request.headers[name];
  return Array.isArray(value) ? value.join(', ') : value;
};

/**
 * Returns null if the request is allowed. The Host header must contain the random name, because a foreign name could
 * also resolve to this machine.
 */
const findRequestRefusal = (request: IncomingMessage, host: string): RequestRefusal | null => {
  if (!isOriginFormRequest(request)) return { status: 400, sentence: 'The request is not well formed.' };
  if (getHeaderValue(request, 'host') !== host || countHostHeaders(request) > 1)
    return {
      status: 421,
      sentence: 'This address does not open the companion: open the link that its terminal shows.',
    };
  const origin = getHeaderValue(request, 'origin');
  const changes = request.method !== 'GET' && request.method !== 'HEAD';
  const socket = getHeaderValue(request, 'upgrade') !== undefined;
  const foreign = origin === undefined ? changes || socket : origin !== `http://${host}`;
  const site = getHeaderValue(request, 'sec-fetch-site');
  const crossSite = site !== undefined && site !== 'same-origin' && site !== 'none';
  // A link on another site may open the page, because the page shows nothing without the secret.
  const opened =
    !changes &&
    getHeaderValue(request, 'sec-fetch-mode') === 'navigate' &&
    getHeaderValue(request, 'sec-fetch-dest') === 'document';
  if (foreign || (crossSite && !opened)) {
    return { status: 403, sentence: 'Only the window of the companion may ask for this.' };
  }
  return null;
};

type UiContext = {
  /** The window shows the start until the companion runs. */
  running: Promise<RunningCompanion>;
  startReport: StartReport;
  rendererDir: string;
  port: number;
  /** Undefined for the first start of this process. */
  place?: WindowPlace | undefined;
  clock: Clock;
  /** Called when a link is used again, but at most every ten seconds. */
  onLinkReused?: () => void;
};

export type WindowLink = { url: string; used: Promise<void> };

const reuseNoticeEveryMs = 10_000;

const problems: WindowProblems = {
  awayBefore: createProblemText('COMPANION_AWAY.before'),
  awayDuring: createProblemText('COMPANION_AWAY.during'),
  LINK_USED: createProblemText('LINK_USED'),
  LINK_ENDED: createProblemText('LINK_ENDED'),
  LINK_MISSING: createProblemText('LINK_MISSING'),
};
/** These functions run in the browser, so their source text is combined into one script. */
const secretScript = `(${createWindowSecret.toString()})((${createLinkTokenExchange.toString()})(),${connectOtherTabs.toString()})`;
const connectScript = `(events)=>(${openWindowConnection.toString()})(${secretScript},events)`;
const scriptArguments = [JSON.stringify(topics), JSON.stringify(problems), connectScript].join();
const windowScript = `window.companion=(${createCompanionWindow.toString()})(${scriptArguments})`;

const tokenBody = z.object({ token: z.string().max(200) });

/** The page sends this request itself, so that a link preview does not use up the token. */
const createTokenRoute =
  (session: WindowSession, onTriedAgain: () => void) =>
  (request: Request, response: Response): void => {
    const parsed = tokenBody.safeParse(request.body);
    const entered = parsed.success ? session.enter(parsed.data.token) : 'unknown';
    response.set('Cache-Control', 'no-store');
    if (typeof entered === 'object') return void response.json(entered);
    if (entered === 'used') onTriedAgain();
    response.status(entered === 'used' ? 410 : 401).json(entered === 'used' ? problems.LINK_USED : problems.LINK_ENDED);
  };

const createPageRoute = (page: string, host: string) => (_request: Request, response: Response) => {
  const nonce = createPageNonce();
  response.set('Content-Security-Policy', createContentSecurityPolicy(nonce, [`ws://${host}`]));
  response.set('Cache-Control', 'no-store');
  response.type('html').send(renderPageHtml(page, nonce, windowScript));
};

/** The newest documents stay readable, because a viewer may request its document again to save or print it. */
const maxDocuments = 4;

type DocumentStore = { add: (bytes: Buffer) => string; find: (token: string) => Buffer | undefined };

const createDocumentStore = (): DocumentStore => {
  const documents = new Map<string, Buffer>();
  return {
    add: (bytes) => {
      const token = createRandomSecret();
      documents.set(token, bytes);
      for (const old of documents.keys()) if (documents.size > maxDocuments) documents.delete(old);
      return `/labels/${token}`;
    },
    find: (token) => documents.get(token),
  };
};

const createDocumentRoute =
  (documents: DocumentStore) =>
  (request: Request<{ token?: string }>, response: Response): void => {
    const found = documents.find(request.params.token ?? '');
    if (found === undefined) return void response.sendStatus(404);
    response.set({ 'Cache-Control': 'no-store', 'Content-Disposition': 'inline; filename="labels.pdf"' });
    // The page's policy would forbid the viewer of the browser, and a PDF runs no scripts of ours.
    response.removeHeader('Content-Security-Policy');
    response.type('pdf').send(found);
  };

const createPictureRouter = (
  running: Promise<RunningCompanion>,
  session: WindowSession,
  documents: DocumentStore,
): Router =>
  Router({ mergeParams: true })
    .use((request: Request<{ place?: string }>, response, next) =>
      session.isPlace(request.params.place ?? '') ? next() : response.sendStatus(404),
    )
    .post(
      '/intake',
      createUploadRoute(async (bytes) => (await running).receivePhoto(bytes)),
    )
    .get('/labels/:token', createDocumentRoute(documents))
    .get(
      '/exports/:exportId',
      createExportRoute(async (exportId) => (await running).exportedFile(exportId)),
    )
    .get(
      ['/photos/{*rest}', '/listing-photos/{*rest}', '/bound-photos/{*rest}'],
      createPhotoRoute(async (ref) => (await running).photo(ref)),
    );

const clientErrorSchema = z.object({ status: z.int().min(400).max(499) });

/** An error that the client caused keeps its status. Any other error is a 500 without the cause. */
const sendErrorResponse = (error: unknown, _request: Request, response: Response, _next: NextFunction): void => {
  if (response.headersSent) return void response.destroy();
  const theirs = clientErrorSchema.safeParse(error);
  if (theirs.success) response.sendStatus(theirs.data.status);
  else response.status(500).json(toProblemView(error));
};

const createUiApp = (
  { running, rendererDir }: UiContext,
  { session, host, documents }: { session: WindowSession; host: string; documents: DocumentStore },
  onTriedAgain: () => void,
): Express => {
  const page = readFileSync(join(rendererDir, 'index.html'), 'utf8');
  // Outside the environment `production`, Express sends stack traces to the browser.
  const app = express().disable('x-powered-by').set('env', 'production');
  app.use(
    helmet({
      contentSecurityPolicy: { useDefaults: false, directives: { defaultSrc: ["'none'"], frameAncestors: ["'none'"] } },
      strictTransportSecurity: false,
      referrerPolicy: { policy: 'no-referrer' },
      crossOriginEmbedderPolicy: false,
    }),
  );
  app.use((request, response, next) => {
    const refusal = findRequestRefusal(request, host);
    if (refusal === null) return next();
    response.status(refusal.status).type('text').send(refusal.sentence);
  });
  app.get(['/', '/index.html'], createPageRoute(page, host));
  app.post('/enter', express.json({ limit: 1_024 }), createTokenRoute(session, onTriedAgain));
  app.use('/at/:place', createPictureRouter(running, session, documents));
  app.use(express.static(rendererDir, { index: false, immutable: true, maxAge: '1y' }));
  app.use((_request, response) => void response.sendStatus(404));
  app.use(sendErrorResponse);
  return app;
};

const limitCallRate = (clock: Clock, ms: number, work: () => void): (() => void) => {
  let next = -Infinity;
  return () => {
    if (clock.elapsedMs() < next) return;
    next = clock.elapsedMs() + ms;
    work();
  };
};

const toPortProblem = (error: unknown, port: number): Problem => {
  const sentence =
    getSystemErrorCode(error) === 'EADDRINUSE'
      ? `Port ${port} is taken; choose another one with --ui-port.`
      : `The window cannot be served on port ${port}; choose another one with --ui-port.`;
  return new Problem('UI_PORT', sentence, { cause: error });
};

/** A browser sends bytes, so a path can only come from a program, which could name any folder of the disk. */
const requireUploads = ({ kind }: CallInput<'items.add'>['sources']): void => {
  if (kind !== 'uploads') throw createProblem('INVALID_REQUEST.uploadsOnly', { field: 'sources' });
};

const createBrowserHandlers = (handlers: CallHandlers, documents: DocumentStore): CallHandlers => ({
  ...handlers,
  'shelf.printLabels': async (input) => {
    const { base64 } = await handlers['shelf.labels'](input);
    return { url: documents.add(Buffer.from(base64, 'base64')) };
  },
  'items.add': async (input) => {
    requireUploads(input.sources);
    return handlers['items.add'](input);
  },
  'items.addInto': async (input) => {
    requireUploads(input.sources);
    return handlers['items.addInto'](input);
  },
  'listingPhotos.replace': async (input) => {
    requireUploads(input.sources);
    return handlers['listingPhotos.replace'](input);
  },
  'photos.avatar': async (input) => {
    if ('path' in input) throw createProblem('INVALID_REQUEST.uploadsOnly', { field: 'path' });
    return handlers['photos.avatar'](input);
  },
});

/** Creates what serves the calls of the windows. */
const createWindowServer = (running: RunningCompanion, ceremonies: CeremonyServer, documents: DocumentStore) => {
  const openCeremonyPage: CallHandlers['proofs.open'] = async ({ token }) => {
    running.ceremonies.requireBegunCeremony(token);
    return { url: await ceremonies.createPageUrl(token) };
  };
  return createCallServer({
    get handlers() {
      return { ...createBrowserHandlers(running.handlers, documents), 'proofs.open': openCeremonyPage };
    },
    ...{ requireProof: running.requireProof, problemView: running.problemOf },
  });
};

export type Ui = { url: string; newLink: () => WindowLink; place: WindowPlace; stop: () => Promise<void> };

/** Each link works for one page only. `url` is the first link. */
export const startUi = async (parts: UiContext): Promise<Ui> => {
  const { clock, onLinkReused: onLinkTriedAgain = () => undefined, place } = parts;
  const server = createServer();
  const port = place?.port ?? parts.port;
  const listening = await listenOnLoopback(server, port).catch((error: unknown) => {
    throw toPortProblem(error, port);
  });
  const session = place?.session ?? createWindowSession();
  const documents = createDocumentStore();
  const host = `${session.name}.localhost:${listening.port}`;
  let ceremonies: CeremonyServer | null = null;
  const started = parts.running.then((running) => {
    ceremonies = createCeremonyServer({ running, rendererDir: parts.rendererDir });
    return { running, serve: createWindowServer(running, ceremonies, documents) };
  });
  // Each call reports that the companion did not start.
  started.catch(() => undefined);
  const newLink = (): WindowLink => {
    const { token, used } = session.newLink();
    return { url: `http://${host}/?token=${token}`, used };
  };
  server.on(
    'request',
    serveSequentially(
      createUiApp(parts, { session, host, documents }, limitCallRate(clock, reuseNoticeEveryMs, onLinkTriedAgain)),
    ),
  );
  const sockets = serveSockets({
    server,
    clock,
    refusal: (request) => findRequestRefusal(request, host)?.status ?? null,
    isSecret: session.isSecret,
    greeting: { base: `/at/${session.place}` },
    serve: async (name, input, caller) => {
      const { running, serve } = await started;
      running.seen();
      return serve(name, input, caller);
    },
    ...{ running: parts.running, startReport: parts.startReport },
  });
  return {
    ...{ url: newLink().url, newLink, place: { session, port: listening.port } },
    stop: async () => {
      sockets.stop();
      await Promise.all([listening.stop(), ceremonies?.stop()]);
    },
  };
};
