import { Router, type Request, type Response } from 'express';
import { issueSentence } from '../contract/index.ts';
import type { Companion } from '../core/companion/createCompanion.ts';
import { Problem } from '../core/base/problem.ts';
import { approvalRoutes } from './approvalRoutes.ts';
import type { AssistantApi } from './door.ts';
import { eventRoutes } from './eventRoutes.ts';
import { caller } from './guard.ts';
import { itemRoutes } from './itemRoutes.ts';
import { pairingBody } from './ownOperations.ts';

/** What anybody on this machine may know of the companion; nothing of the person. */
const openLinks = {
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
} as const;

/** `/companion`: what is the companion's own, beside the routes of the service. */
export const companionRoutes = (companion: Companion, api: AssistantApi, version: string): Router => {
  const router = Router();
  router.get('/', (_request: Request, response: Response) => {
    response.json({ name: 'Listing Companion', version, links: openLinks });
  });

  router.post('/pairings', (request: Request, response: Response) => {
    const parsed = pairingBody.safeParse(request.body);
    if (!parsed.success) throw new Problem('INVALID_REQUEST', issueSentence(parsed.error.issues[0]), { field: 'name' });
    const { expiresAt, ...pairing } = companion.assistants.ask(parsed.data.name);
    response.status(201).json({ ...pairing, expiresAt: new Date(expiresAt).toISOString(), pollAfterMs: 2_000 });
  });
  router.get('/pairings/:id', (request: Request, response: Response) => {
    const [, secret] = /^Pairing (\S+)$/.exec(request.headers.authorization ?? '') ?? [];
    if (secret === undefined)
      throw new Problem('UNAUTHORIZED', 'Send the secret of the pairing as Authorization: Pairing.');
    response.json(companion.assistants.poll(String(request.params['id']), secret));
  });

  router.get('/me', (request: Request, response: Response) => {
    response.json(api.me(caller(companion.assistants, request)));
  });
  router.use('/approvals', approvalRoutes(api, companion.assistants));
  router.use('/events', eventRoutes(companion, api));
  router.use(itemRoutes(api, companion));
  return router;
};
