import express, {
  type Request,
  type Response,
  Router,
  type Express,
  type NextFunction,
  type RequestHandler,
} from 'express';
import type { Companion } from '../core/companion/createCompanion.ts';
import { ServiceError } from '../core/service/serviceError.ts';
import { toProblemBody, schemeHeader, sendJsonBody, sendProblemAnswer } from './bridgeProblem.ts';
import {
  createDisconnectSignal,
  authenticateAssistant,
  identifyAssistant,
  parseWaitMs,
  getRequestPath,
} from './guard.ts';
import { createUnreadBytesLimiter } from '../loopback/http.ts';
import { parseRequestFields, toPhotoBody, pairedBodyLimit, unpairedBodyLimit, readJsonBody } from './readBody.ts';
import { formatIssueSentence, matchRouteByPath, type RawInput, type RouteName } from '../contract/index.ts';
import { Problem } from '../core/base/problem.ts';
import type { AssistantApi } from './assistantApi.ts';
import {
  batchBody,
  requireKnownOperation,
  itemBody,
  itemHeaders,
  isPublicOperation,
  pairingBody,
  photosBody,
} from './ownOperations.ts';
import type { AssistantRegistry } from '../core/assistants/assistants.ts';
import { parseRequestReason } from './serviceProxy.ts';
import { createEventRoutes } from './eventRoutes.ts';
import type { McpRouteContext } from './mcp/mcpRoute.ts';
import { createShelfRoutes } from './shelfRoutes.ts';
import { createProofResponder, formatSocketAddress, proofBody } from './proof.ts';
import { hasForeignSocketOnPort } from './foreignSockets.ts';
import { formatGuideMarkdown } from './guide.ts';
import { createPublicDocumentRoutes } from './publicDocuments.ts';

/**
 * Serves `PUT /uploads/{token}`, which stores the bytes of one photo. The token in the path is the only authorisation.
 */
export const createUploadRoute =
  ({ uploads }: Companion) =>
  async (request: Request, response: Response): Promise<void> => {
    const token = String(request.params['token']);
    const signal = createDisconnectSignal(request, response);
    try {
      const taken = await uploads.take(token, request.headers['content-type'], toPhotoBody(request), signal);
      response.json({ stored: true, ...taken });
    } catch (error) {
      if (!isUploadRefusal(error)) throw error;
      sendJsonBody(response, error.status, JSON.stringify(toProblemBody(error).body));
    }
  };

const isUploadRefusal = (error: unknown): error is ServiceError =>
  error instanceof ServiceError && error.code === 'UPLOAD_REFUSED' && error.status >= 400;

const parseIdempotencyKey = ({ headers }: Request): string | undefined => {
  const given = itemHeaders.safeParse(headers);
  if (given.success) return given.data['idempotency-key'];
  const [issue] = given.error.issues;
  throw new Problem('INVALID_IDEMPOTENCY_KEY', formatIssueSentence(issue), { field: 'idempotency-key' });
};

/** Limits the memory for photos that a caller requests but never receives to the end. */
const maxUnreadPhotoBytes = 64 * 2 ** 20;

/** Serves `/companion/items` and `/companion/listings/{listingId}/photos`. */
export const createItemRoutes = (api: AssistantApi, companion: Companion): Router => {
  const router = Router();
  const trackBytes = createUnreadBytesLimiter(maxUnreadPhotoBytes);
  const authenticateRequest = (request: Request) => authenticateAssistant(companion.assistants, request);

  router.get('/items', async (request: Request, response: Response) => {
    response.type('json').send(await api.itemsJson(authenticateRequest(request)));
  });
  router.post('/items', async (request: Request, response: Response) => {
    const asker = authenticateRequest(request);
    const key = parseIdempotencyKey(request);
    const { item, left, warnings, replayed } = await api.addItem(
      asker,
      parseRequestFields(itemBody, request.body),
      key,
    );
    if (replayed) response.setHeader('Idempotent-Replayed', 'true');
    response
      .status(202)
      .location(`/companion/items/${item.itemId}`)
      .json({ itemId: item.itemId, item, left, warnings });
  });
  router.get('/items/:id', async (request: Request, response: Response) => {
    const id = String(request.params['id']);
    const [item] = await api.items(
      authenticateRequest(request),
      [id],
      parseWaitMs(request),
      createDisconnectSignal(request, response),
    );
    response.json({ item });
  });

  router.get('/listings/:listingId/photos/:number', async (request: Request, response: Response) => {
    const [number] = /^[1-9]\d{0,2}$/.exec(String(request.params['number'])) ?? [];
    if (number === undefined)
      throw new Problem('INVALID_REQUEST', 'Photos are numbered from 1, the main one first.', { field: 'number' });
    const listingId = String(request.params['listingId']);
    const signal = createDisconnectSignal(request, response);
    const { bytes, contentType } = await api.photo(authenticateRequest(request), listingId, Number(number), signal);
    // The answer must never run as a document, even if a browser opens its URL.
    response.setHeader('Content-Security-Policy', "default-src 'none'; sandbox");
    trackBytes(response, bytes.length);
    response.writeHead(200, { 'Content-Type': contentType, 'Content-Length': bytes.length }).end(bytes);
  });

  router.post('/listings/:listingId/photos', async (request: Request, response: Response) => {
    const asker = authenticateRequest(request);
    const listingId = String(request.params['listingId']);
    const signal = createDisconnectSignal(request, response);
    if (!/^image\//i.test(request.headers['content-type'] ?? '')) {
      response.json(await api.addPhotos(asker, listingId, parseRequestFields(photosBody, request.body), signal));
      return;
    }
    response.json(await api.addReceived(asker, listingId, toPhotoBody(request), signal));
  });
  return router;
};

const parseBatchRequests = (body: unknown): { route: RouteName; input: RawInput }[] => {
  const parsed = batchBody.safeParse(body);
  if (!parsed.success) {
    throw new Problem('INVALID_REQUEST', formatIssueSentence(parsed.error.issues[0]), { field: 'requests' });
  }
  return parsed.data.requests.map(({ method, path, body: content = {} }, index) => {
    const match = matchRouteByPath(method.toUpperCase(), path);
    if (match.kind !== 'route') {
      throw new Problem('INVALID_REQUEST', `Request ${index + 1} is not one that an assistant may make.`, {
        field: `requests.${index}`,
      });
    }
    return { route: match.name, input: { params: match.params, body: content } };
  });
};

/** Serves `/companion/approvals`. An assistant sees only its own approvals. */
export const createApprovalRoutes = (api: AssistantApi, assistants: AssistantRegistry): Router => {
  const router = Router();
  const authenticateRequest = (request: Request) => authenticateAssistant(assistants, request);

  router.get('/', (request: Request, response: Response) => {
    response.json({ approvals: api.approvals(authenticateRequest(request)) });
  });
  router.post('/batch', async (request: Request, response: Response) => {
    const asker = authenticateRequest(request);
    const batches = await api.askTogether(asker, parseBatchRequests(request.body), parseRequestReason(request));
    response.status(202).json({ approvals: batches.flatMap(({ rows }) => rows) });
  });
  router.get('/:id', async (request: Request, response: Response) => {
    const id = String(request.params['id']);
    const approval = await api.approval(
      authenticateRequest(request),
      id,
      parseWaitMs(request),
      createDisconnectSignal(request, response),
    );
    response.json({ approval });
  });
  router.delete('/:id', (request: Request, response: Response) => {
    response.json({ approval: api.withdraw(authenticateRequest(request), String(request.params['id'])) });
  });
  return router;
};

/** Any program on this machine may read these links, because they contain nothing about the person. */
const publicLinks = {
  guide: '/companion/guide',
  openapi: '/companion/openapi.json',
  mcp: '/mcp',
  llms: '/llms.txt',
  health: '/health',
  pairings: '/companion/pairings',
  approvals: '/companion/approvals',
  items: '/companion/items',
  events: '/companion/events',
  me: '/companion/me',
  window: '/companion/window',
} as const;

/** Any program can open the window. The interval prevents a program from constantly taking the focus. */
const minShowIntervalMs = 5_000;

type BridgeInfo = { version: string; url: () => string; showWindow: (() => void) | null };

/** Serves `/companion`: the companion's own operations. */
export const createCompanionRoutes = (
  companion: Companion,
  api: AssistantApi,
  { version, showWindow }: BridgeInfo,
): Router => {
  const router = Router();
  router.get('/', (_request: Request, response: Response) => {
    response.json({ name: 'Listing Companion', version, links: publicLinks });
  });
  // This address needs no token, because it only opens the window and reveals nothing about approvals.
  let shownAtMs = -Infinity;
  router.get('/window', (_request: Request, response: Response) => {
    const nowMs = companion.clock.elapsedMs();
    if (nowMs - shownAtMs >= minShowIntervalMs) {
      shownAtMs = nowMs;
      showWindow?.();
    }
    response.type('text/plain').send('Go on in the window of Listing Companion. You can close this page.\n');
  });

  router.post('/pairings', async (request: Request, response: Response) => {
    const parsed = pairingBody.safeParse(request.body);
    if (!parsed.success)
      throw new Problem('INVALID_REQUEST', formatIssueSentence(parsed.error.issues[0]), { field: 'name' });
    // Before the first pairing, no secret can prove that the companion answers. Another user's program could relay the
    // request and read the pairing secret.
    if (await hasForeignSocketOnPort(request.socket.localPort ?? 0))
      throw new Problem(
        'PORT_SHARED',
        'Another user of this computer has connections on the port of Listing Companion and could read what is sent here. Start the companion with another --bridge-port, then pair.',
      );
    const { expiresAt, ...pairing } = companion.assistants.requestPairing(parsed.data.name);
    response.status(201).json({ ...pairing, expiresAt: new Date(expiresAt).toISOString(), pollAfterMs: 2_000 });
  });
  router.get('/pairings/:id', (request: Request, response: Response) => {
    const [, secret] = /^Pairing (\S+)$/.exec(request.headers.authorization ?? '') ?? [];
    response.setHeader(schemeHeader, 'Pairing');
    if (secret === undefined)
      throw new Problem('UNAUTHORIZED', 'Send the secret of the pairing as Authorization: Pairing.');
    response.json(companion.assistants.poll(String(request.params['id']), secret));
  });

  const prove = createProofResponder(companion.assistants, companion.clock);
  router.post('/proof', (request: Request, response: Response) => {
    const { remoteAddress, remotePort, localPort = 0 } = request.socket;
    const ends = { caller: formatSocketAddress(remoteAddress, remotePort), port: localPort };
    response.json(prove(parseRequestFields(proofBody, request.body), ends));
  });

  router.get('/me', (request: Request, response: Response) => {
    response.json(api.me(authenticateAssistant(companion.assistants, request)));
  });
  router.use('/approvals', createApprovalRoutes(api, companion.assistants));
  router.use('/events', createEventRoutes(companion, api));
  router.use(createItemRoutes(api, companion));
  router.use(createShelfRoutes(api, companion.assistants));
  return router;
};

/** Loads MCP with the first request, because the protocol library and the tool schemas would slow down the start. */
const createLazyMcpRoute = (parts: McpRouteContext): RequestHandler => {
  let loading: Promise<RequestHandler> | undefined;
  return async (request, response, next) => {
    loading ??= import('./mcp/mcpRoute.ts').then(({ createMcpRoute }) => createMcpRoute(parts));
    const route = await loading;
    await route(request, response, next);
  };
};

/**
 * Returns the maximum body size of a request. Throws if the operation needs a token and the request has no valid token.
 */
const getMaxBodyBytes = (assistants: AssistantRegistry, request: Request): number => {
  const path = getRequestPath(request);
  if (isPublicOperation(request.method, path)) return unpairedBodyLimit;
  const authenticate = path === publicLinks.mcp ? identifyAssistant : authenticateAssistant;
  authenticate(assistants, request);
  return pairedBodyLimit;
};

/** Creates the Express app for the companion's own operations, MCP and the public documents. */
export const createApp = (companion: Companion, api: AssistantApi, about: BridgeInfo): Express => {
  const app = express();
  app.disable('x-powered-by');
  app.disable('etag');
  app.use((request: Request, response: Response, next: NextFunction) => {
    requireKnownOperation(request.method, getRequestPath(request), (methods) =>
      response.setHeader('Allow', methods.join(', ')),
    );
    next();
  });
  app.put('/uploads/:token', createUploadRoute(companion));
  app.use(async (request: Request, _response: Response, next: NextFunction) => {
    const most = getMaxBodyBytes(companion.assistants, request);
    if (!/^image\//i.test(request.headers['content-type'] ?? '')) request.body = await readJsonBody(request, most);
    next();
  });
  app.get('/health', (_request: Request, response: Response) => {
    response.json({ status: 'ok' });
  });
  app.use(createPublicDocumentRoutes(about));
  app.use(
    '/mcp',
    createLazyMcpRoute({
      api,
      clock: companion.clock,
      version: about.version,
      guide: async () => formatGuideMarkdown(about.url()),
      personTexts: companion.personTexts,
      windowUrl: () => (about.showWindow === null ? null : `${about.url()}${publicLinks.window}`),
      caller: (request) => identifyAssistant(companion.assistants, request).asker,
    }),
  );
  app.use('/companion', createCompanionRoutes(companion, api, about));
  app.use((error: unknown, _request: Request, response: Response, _next: NextFunction) =>
    sendProblemAnswer(response, error),
  );
  return app;
};
