import express, { type Express, type NextFunction, type Request, type Response } from 'express';
import helmet from 'helmet';
import type { IncomingMessage } from 'node:http';
import { createReadStream, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import * as z from 'zod';
import { findOwnEntry } from '../../contract/untrusted.ts';
import { toProblemView } from '../../core/base/problem.ts';
import { authenticationResponse, registrationResponse } from '../../core/presence/passkeys.ts';
import type { CeremonyProblem, CeremonyReply, OpenedCeremony } from '../../ipc/ceremonyPage.ts';
import { countHostHeaders, isOriginFormRequest } from '../../loopback/http.ts';
import { parsePhotoPath, photoHeaders } from '../photoPath.ts';
import { createPageNonce } from '../rendererPage.ts';
import type { CeremonyCore, CeremonyServerContext } from './ceremonyCore.ts';
import { createCeremonyPolicy, renderCeremonyOver, renderCeremonyPage } from './ceremonyHtml.ts';
import { listCeremonyWords, loadCeremonyTexts, type CeremonyTexts } from './ceremonyTexts.ts';
import { describeCeremony } from './describeCeremony.ts';

type AppContext = CeremonyServerContext & { core: CeremonyCore; origin: string };

const maxBodyBytes = 64 * 1_024;

/** Returns the status of the refusal; null if a page of this server, or a person who opens one, sent the request. */
const findRefusalStatus = (request: IncomingMessage, host: string): number | null => {
  const { headers, method } = request;
  if (!isOriginFormRequest(request) || headers.upgrade !== undefined) return 400;
  if (headers.host !== host || countHostHeaders(request) > 1) return 421;
  const isRead = method === 'GET' || method === 'HEAD';
  if (headers.origin === undefined ? !isRead : headers.origin !== `http://${host}`) return 403;
  const site = headers['sec-fetch-site'];
  // The page shows nothing without its token.
  const isNavigation = isRead && headers['sec-fetch-mode'] === 'navigate' && headers['sec-fetch-dest'] === 'document';
  return site === undefined || site === 'same-origin' || isNavigation ? null : 403;
};

const loadTexts = ({ core }: AppContext, request: Request): Promise<CeremonyTexts> =>
  loadCeremonyTexts(core.settings().language, request.headers['accept-language']);

const getToken = (request: Request): string => String(request.params['token'] ?? '');

/** A browser that loads a page in advance must not use up the token. */
const isPreview = ({ headers }: IncomingMessage): boolean =>
  /prefetch|prerender/.test(String(headers['sec-purpose'] ?? headers['purpose'] ?? ''));

const createPageRoute = (context: AppContext) => {
  const script = readFileSync(join(context.rendererDir, 'presence.js'), 'utf8');
  return async (request: Request, response: Response): Promise<void> => {
    // A request for the headers only must not use up the token either.
    if (request.method !== 'GET') return void response.set('Allow', 'GET').sendStatus(405);
    const texts = await loadTexts(context, request);
    const nonce = createPageNonce();
    const { theme } = context.core.settings();
    response.set('Content-Security-Policy', createCeremonyPolicy(nonce)).type('html');
    if (isPreview(request)) return void response.status(503).end();
    const token = getToken(request);
    try {
      const data = { words: listCeremonyWords(texts), opened: await openCeremony(context, token, texts) };
      response.send(renderCeremonyPage(texts, { nonce, theme, script, data }));
    } catch (error) {
      if (toProblemView(error).code !== 'CEREMONY_OVER') throw error;
      const isReload = context.core.cancelReopenedCeremony(token);
      response.status(410).send(renderCeremonyOver(texts, { nonce, theme, isReload }));
    }
  };
};

type Act = (core: CeremonyCore, token: string, body: unknown) => unknown;

const pinBody = z.object({ pin: z.string().max(1_000) });

/** The requests that the page can send, by name. */
const acts: Record<string, Act> = {
  passkey: (core, token, body) => core.confirmWithPasskey(token, authenticationResponse.parse(body)),
  system: (core, token) => core.confirmWithSystemPrompt(token),
  pin: (core, token, body) => core.confirmWithPin(token, pinBody.parse(body).pin),
  'new-passkey': (core, token, body) => core.registerPasskey(token, registrationResponse.parse(body)),
  'new-system': (core, token) => core.registerSystemPrompt(token),
  'new-pin': (core, token, body) => core.registerPin(token, pinBody.parse(body).pin),
  cancel: (core, token) => core.cancelCeremony(token),
};

const readPinWaitS = (core: CeremonyCore): number => Math.ceil((core.readState().pin?.waitLeftMs ?? 0) / 1_000);

/** A wrong PIN can start a wait, which the page shows before the next one is entered. */
const addPinWait = (core: CeremonyCore, problem: CeremonyProblem): CeremonyProblem => {
  const retryAfterS = problem.code === 'PIN_WRONG' ? readPinWaitS(core) : 0;
  return retryAfterS === 0 ? problem : { ...problem, retryAfterS };
};

const openCeremony = async (context: AppContext, token: string, texts: CeremonyTexts): Promise<OpenedCeremony> => {
  const { core, origin } = context;
  const opened = await core.openCeremony(token, { origin });
  const { drawn, kinds, leftMs, registrationOptions, authenticationOptions } = opened;
  return {
    view: describeCeremony(drawn, texts, (row) => `/presence/${token}/photos/${row}`),
    isRegistration: drawn.of === 'registration',
    kinds: drawn.of === 'registration' ? [drawn.kind] : kinds,
    passkeyOptions: registrationOptions ?? authenticationOptions,
    leftMs,
    pinWaitS: drawn.of !== 'registration' && kinds.includes('pin') ? readPinWaitS(core) : 0,
  };
};
/** Answers with the problem, if there is one, in the language of the page. */
const createActRoute = (context: AppContext) => async (request: Request, response: Response) => {
  const act = findOwnEntry(acts, String(request.params['act']));
  if (act === undefined) return void response.sendStatus(404);
  const send = (reply: CeremonyReply): void => void response.status(reply.ok ? 200 : 409).json(reply);
  try {
    // The window reads the id of the proof from the core.
    await act(context.core, getToken(request), request.body);
    send({ ok: true });
  } catch (error) {
    if (error instanceof z.ZodError) return void response.sendStatus(400);
    const { code, sentence, says, retryAfterS } = toProblemView(error);
    const texts = await loadTexts(context, request);
    const wait = retryAfterS === undefined ? {} : { retryAfterS };
    send({
      ok: false,
      problem: addPinWait(context.core, { code, sentence: texts.translate(says, sentence), ...wait }),
    });
  }
};

const createPhotoRoute =
  ({ core, running }: AppContext) =>
  async (request: Request, response: Response): Promise<void> => {
    const token = getToken(request);
    const path = core.findCeremonyPhoto(token, Number(request.params['row']));
    const ref = path === null ? null : parsePhotoPath(path);
    const found = ref === null ? null : await running.photo(ref);
    if (found === null) return void response.sendStatus(404);
    response.set('Content-Security-Policy', photoHeaders['Content-Security-Policy']).type(found.contentType);
    if ('bytes' in found) return void response.send(found.bytes);
    await pipeline(createReadStream(found.path), response).catch(() => response.destroy());
  };

const clientErrorSchema = z.object({ status: z.int().min(400).max(499) });

const sendErrorResponse = (error: unknown, _request: Request, response: Response, _next: NextFunction): void => {
  if (response.headersSent) return void response.destroy();
  const theirs = clientErrorSchema.safeParse(error);
  response.sendStatus(theirs.success ? theirs.data.status : 500);
};

/** Creates the server of the ceremony page. `host` is the only Host header that it accepts. */
export const createCeremonyApp = (parts: CeremonyServerContext, host: string): Express => {
  const context: AppContext = {
    ...parts,
    core: parts.running.ceremonies,
    origin: `http://${host}`,
  };
  // Outside the environment `production`, Express sends stack traces to the browser.
  const app = express().disable('x-powered-by').disable('etag').set('env', 'production');
  app.use(
    helmet({
      contentSecurityPolicy: { useDefaults: false, directives: { defaultSrc: ["'none'"], frameAncestors: ["'none'"] } },
      strictTransportSecurity: false,
      referrerPolicy: { policy: 'no-referrer' },
      crossOriginEmbedderPolicy: false,
      xFrameOptions: { action: 'deny' },
    }),
  );
  app.use((request, response, next) => {
    response.set({
      'Cache-Control': 'no-store',
      // Another program might have used this port before. Cookies belong to all ports, so they stay.
      'Clear-Site-Data': '"cache", "storage"',
      'Permissions-Policy': 'publickey-credentials-get=(self), publickey-credentials-create=(self)',
    });
    const status = findRefusalStatus(request, host);
    if (status === null) return next();
    response.status(status).type('text').send('Only the window of the companion may ask for this.');
  });
  const readBody = express.json({ limit: maxBodyBytes });
  app.get('/presence/:token', createPageRoute(context));
  app.get('/presence/:token/photos/:row', createPhotoRoute(context));
  app.post('/presence/:token/:act', readBody, createActRoute(context));
  app.use((_request, response) => void response.sendStatus(404));
  app.use(sendErrorResponse);
  return app;
};
