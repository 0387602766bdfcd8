import { Router, type Request, type Response } from 'express';
import * as z from 'zod';
import type { Companion } from '../core/companion.ts';
import { Problem } from '../core/problem.ts';
import { approvalRoutes } from './approvalRoutes.ts';
import { caller } from './guard.ts';
import { guide } from './guide.ts';

const newPairing = z.object({
  name: z
    .string()
    .trim()
    .min(1, 'Say your name.')
    .max(60, 'A name has at most 60 characters.')
    .regex(/^[^\p{Cc}\p{Cf}]*$/u, 'A name has no invisible characters.'),
});

/** `/companion`: what is the companion's own, beside the mirror of the service. */
export const companionRoutes = (companion: Companion, about: { version: string; url: () => string }): Router => {
  const router = Router();
  router.get('/', (_request: Request, response: Response) => {
    response.json({
      name: 'Listing Companion',
      version: about.version,
      links: {
        guide: '/companion/guide',
        pairings: '/companion/pairings',
        approvals: '/companion/approvals',
        me: '/companion/me',
      },
    });
  });
  router.get('/guide', (_request: Request, response: Response) => {
    response.type('text/markdown').send(guide(about.url()));
  });

  router.post('/pairings', (request: Request, response: Response) => {
    const parsed = newPairing.safeParse(request.body);
    if (!parsed.success)
      throw new Problem('INVALID_REQUEST', parsed.error.issues[0]?.message ?? 'Say your name.', { field: 'name' });
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
    const { assistantId, name } = caller(companion.assistants, request);
    const waiting = companion.approvals.ofAsker(assistantId).filter(({ state }) => state === 'pending').length;
    const { budget, touches } =
      companion.assistants.list().assistants.find((one) => one.assistantId === assistantId) ?? {};
    response.json({ assistantId, name, waitingApprovals: waiting, budget, touches });
  });
  router.use('/approvals', approvalRoutes(companion));
  return router;
};
