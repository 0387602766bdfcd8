import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import { type IncomingMessage, createServer } from 'node:http';
import { hostsIn, isForUs, oneAtATime } from '../loopback/http.ts';
import express, { Router, type Express, type NextFunction, type Request, type Response } from 'express';
import helmet from 'helmet';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as z from 'zod';
import { problemView, problemText } from '../core/base/problem.ts';
import { topics, type Clock } from '../core/base/ports.ts';
import { contentSecurityPolicy, newNonce, rendererPage } from '../host/rendererPage.ts';
import type { Running } from '../host/runCompanion.ts';
import { serveCalls } from '../ipc/serveCalls.ts';
import {
  companionWindow,
  windowConnection,
  type WindowProblems,
  enterByLink,
  otherTabs,
  windowSecret,
} from './companionWindow.ts';
import { listenOnLoopback } from './listenOnLoopback.ts';
import { receiveUpload, servePhoto } from './photoRoutes.ts';
import { serveSockets } from './serveSockets.ts';

const newSecret = (): string => randomBytes(24).toString('base64url');
/** In hexadecimal digits, as names of hosts know no capital letters. */
const newName = (): string => randomBytes(20).toString('hex');
const digest = (value: string): Buffer => createHash('sha256').update(value).digest();
/** Takes the same time whatever differs. */
const same = (a: string, b: string): boolean => timingSafeEqual(digest(a), digest(b));

/** A way into the window that works once. */
export type Link = { token: string; used: Promise<void> };

/** Who may use the window of this run: pages that came by a link, and tabs of theirs. */
type Session = {
  /**
   * The name of this run's window, a host of its own below `localhost`. What browsers keep of a host (answers, service
   * workers, permissions) nobody else can have left there: by the port alone another server may have had the same one.
   */
  name: string;
  newLink: () => Link;
  /** The secret of this run for the page that comes by a link first. */
  enter: (token: string) => { secret: string } | 'used' | 'unknown';
  isSecret: (given: string) => boolean;
  /** Names the place of pictures and uploads, as neither an image nor its address can carry the secret. */
  place: string;
  isPlace: (given: string) => boolean;
};

/**
 * Starts a session. It has no cookie: browsers send the cookies of a host to every port of it, so that a server of
 * somebody else on this machine could be given them too.
 */
const createSession = (): Session => {
  const [secret, place] = [newSecret(), newSecret()];
  const links: { token: string; use: (() => void) | null }[] = [];
  return {
    name: newName(),
    newLink: () => {
      const { promise: used, resolve } = Promise.withResolvers<void>();
      const token = newSecret();
      links.push({ token, use: resolve });
      return { token, used };
    },
    enter: (token) => {
      const link = links.find((one) => same(token, one.token));
      if (link === undefined) return 'unknown';
      if (link.use === null) return 'used';
      link.use();
      link.use = null;
      return { secret };
    },
    isSecret: (given) => same(given, secret),
    place,
    isPlace: (given) => same(given, place),
  };
};

/** Why a request is not answered at all. */
type Refusal = { status: number; sentence: string };

const header = (request: IncomingMessage, name: string): string | undefined => {
  const value = request.headers[name];
  return Array.isArray(value) ? value.join(', ') : value;
};

/**
 * Looks at where a request comes from, before anything of it is read: the Host must be ours, which nobody
 * can guess (a foreign name that resolves to this machine is not, nor is its address: others may have had that), and no
 * other site may have made a browser send it.
 */
const refusalOf = (request: IncomingMessage, host: string): Refusal | null => {
  if (!isForUs(request)) return { status: 400, sentence: 'The request is not well formed.' };
  if (header(request, 'host') !== host || hostsIn(request) > 1)
    return {
      status: 421,
      sentence: 'This address does not open the companion: open the link that its terminal shows.',
    };
  const origin = header(request, 'origin');
  const changes = request.method !== 'GET' && request.method !== 'HEAD';
  const socket = header(request, 'upgrade') !== undefined;
  const foreign = origin === undefined ? changes || socket : origin !== `http://${host}`;
  const site = header(request, 'sec-fetch-site');
  const crossSite = site !== undefined && site !== 'same-origin' && site !== 'none';
  // Following a link to the page itself from elsewhere is harmless: without the secret it shows nothing.
  const opened =
    !changes && header(request, 'sec-fetch-mode') === 'navigate' && header(request, 'sec-fetch-dest') === 'document';
  if (foreign || (crossSite && !opened)) {
    return { status: 403, sentence: 'Only the window of the companion may ask for this.' };
  }
  return null;
};

type UiContext = {
  running: Running;
  rendererDir: string;
  port: number;
  clock: Clock;
  /** Somebody came by a link that was used before; at most every ten seconds. */
  onLinkReused?: () => void;
};

/** The whole address of a link; `used` settles when a page has come by it. */
export type WindowLink = { url: string; used: Promise<void> };

const notifyAgainMs = 10_000;

const problems: WindowProblems = {
  awayBefore: problemText('COMPANION_AWAY.before'),
  awayDuring: problemText('COMPANION_AWAY.during'),
  LINK_USED: problemText('LINK_USED'),
  LINK_ENDED: problemText('LINK_ENDED'),
  LINK_MISSING: problemText('LINK_MISSING'),
};
/** The functions that run in the browser, as text, put together there. */
const secretScript = `(${windowSecret.toString()})((${enterByLink.toString()})(),${otherTabs.toString()})`;
const connectScript = `(events)=>(${windowConnection.toString()})(${secretScript},events)`;
const given = [JSON.stringify(topics), JSON.stringify(problems), connectScript].join();
const windowScript = `window.companion=(${companionWindow.toString()})(${given})`;

const tokenBody = z.object({ token: z.string().max(200) });

/** Trades the token of a link for the secret: once. A page does it, so that looking at the address uses nothing up. */
const tradeToken =
  (session: Session, onTriedAgain: () => void) =>
  (request: Request, response: Response): void => {
    const parsed = tokenBody.safeParse(request.body);
    const entered = parsed.success ? session.enter(parsed.data.token) : 'unknown';
    response.set('Cache-Control', 'no-store');
    if (typeof entered === 'object') return void response.json(entered);
    if (entered === 'used') onTriedAgain();
    response.status(entered === 'used' ? 410 : 401).json(entered === 'used' ? problems.LINK_USED : problems.LINK_ENDED);
  };

/** The page holds nothing of the person: what it shows comes by the socket, to who says the secret. */
const sendPage = (page: string, host: string) => (_request: Request, response: Response) => {
  const nonce = newNonce();
  response.set('Content-Security-Policy', contentSecurityPolicy(nonce, [`ws://${host}`]));
  response.set('Cache-Control', 'no-store');
  response.type('html').send(rendererPage(page, nonce, windowScript));
};

/** Pictures and uploads, below an address that only windows are told. */
const pictures = ({ photo, receivePhoto }: Running, session: Session): Router =>
  Router({ mergeParams: true })
    .use((request: Request<{ place?: string }>, response, next) =>
      session.isPlace(request.params.place ?? '') ? next() : response.sendStatus(404),
    )
    .post('/intake', receiveUpload(receivePhoto))
    .get(['/photos/{*rest}', '/listing-photos/{*rest}', '/bound-photos/{*rest}'], servePhoto(photo));

const clientError = z.object({ status: z.int().min(400).max(499) });

/** Answers whatever a handler threw: with the status of what no client should have sent, or as a fault without its cause. */
const sendError = (error: unknown, _request: Request, response: Response, _next: NextFunction): void => {
  if (response.headersSent) return void response.destroy();
  const theirs = clientError.safeParse(error);
  if (theirs.success) response.sendStatus(theirs.data.status);
  else response.status(500).json(problemView(error));
};

const uiApp = (
  { running, rendererDir }: UiContext,
  session: Session,
  host: string,
  onTriedAgain: () => void,
): Express => {
  const page = readFileSync(join(rendererDir, 'index.html'), 'utf8');
  // Outside of production, Express shows its errors with their stacks.
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
    const refusal = refusalOf(request, host);
    if (refusal === null) return next();
    response.status(refusal.status).type('text').send(refusal.sentence);
  });
  app.get(['/', '/index.html'], sendPage(page, host));
  app.post('/enter', express.json({ limit: 1_024 }), tradeToken(session, onTriedAgain));
  app.use('/at/:place', pictures(running, session));
  app.use(express.static(rendererDir, { index: false, immutable: true, maxAge: '1y' }));
  app.use((_request, response) => void response.sendStatus(404));
  app.use(sendError);
  return app;
};

/** Calls a function at most once in so many ms. */
const atMostEvery = (clock: Clock, ms: number, work: () => void): (() => void) => {
  let next = -Infinity;
  return () => {
    if (clock.elapsedMs() < next) return;
    next = clock.elapsedMs() + ms;
    work();
  };
};

/** Serves the window to a browser on this machine. Each link lets one page in; `url` is the first. */
export const startUi = async (
  parts: UiContext,
): Promise<{ url: string; newLink: () => WindowLink; stop: () => Promise<void> }> => {
  const { running, clock, onLinkReused: onLinkTriedAgain = () => undefined } = parts;
  const server = createServer();
  const listening = await listenOnLoopback(server, parts.port);
  const session = createSession();
  const host = `${session.name}.localhost:${listening.port}`;
  const serve = serveCalls(running.handlers, running.problemOf);
  const newLink = (): WindowLink => {
    const { token, used } = session.newLink();
    return { url: `http://${host}/?token=${token}`, used };
  };
  server.on('request', oneAtATime(uiApp(parts, session, host, atMostEvery(clock, notifyAgainMs, onLinkTriedAgain))));
  const sockets = serveSockets({
    server,
    clock,
    refusal: (request) => refusalOf(request, host)?.status ?? null,
    isSecret: session.isSecret,
    greeting: { base: `/at/${session.place}` },
    serve: (name, input) => {
      running.seen();
      return serve(name, input);
    },
    onChanged: running.onChanged,
  });
  return {
    url: newLink().url,
    newLink,
    stop: async () => {
      sockets.stop();
      await listening.stop();
    },
  };
};
