import { Router, type Request, type Response } from 'express';
import { issueSentence, matchRoute, type RawInput, type RouteName } from '../contract/index.ts';
import type { Assistants } from '../core/assistants/assistants.ts';
import { plainSentence } from '../core/service/personPages.ts';
import { Problem } from '../core/base/problem.ts';
import type { AssistantApi } from './assistantApi.ts';
import { authenticate, closeSignal, waitMsOf } from './guard.ts';
import { reasonOf } from './serviceProxy.ts';
import { batchBody } from './ownOperations.ts';

const parsedBatch = (body: unknown): { route: RouteName; input: RawInput }[] => {
  const parsed = batchBody.safeParse(body);
  if (!parsed.success) {
    throw new Problem('INVALID_REQUEST', issueSentence(parsed.error.issues[0]), { field: 'requests' });
  }
  return parsed.data.requests.map(({ method, path, body: content = {} }, index) => {
    const match = matchRoute(method.toUpperCase(), path);
    if (match.kind !== 'route') {
      throw new Problem('INVALID_REQUEST', `Request ${index + 1} is not one that an assistant may make.`, {
        field: `requests.${index}`,
      });
    }
    return { route: match.name, input: { params: match.params, body: content } };
  });
};

/** `/companion/approvals`: an assistant's own questions to the person, and nobody else's. */
export const approvalRoutes = (api: AssistantApi, assistants: Assistants): Router => {
  const router = Router();
  const by = (request: Request) => authenticate(assistants, request);

  router.get('/', (request: Request, response: Response) => {
    response.json({ approvals: api.approvals(by(request)) });
  });
  router.post('/batch', async (request: Request, response: Response) => {
    const asker = by(request);
    const batches = await api.askTogether(asker, parsedBatch(request.body), reasonOf(request));
    const rows = batches.flatMap((batch) => batch.rows);
    response.status(202).json({
      approvals: await Promise.all(
        rows.map(async ({ listingId, approval, problem }) => ({
          listingId,
          ...(approval ? { approval: await api.approval(asker, approval.approvalId, 0) } : {}),
          ...(problem ? { error: plainSentence(problem.sentence), code: problem.code } : {}),
        })),
      ),
    });
  });
  router.get('/:id', async (request: Request, response: Response) => {
    const id = String(request.params['id']);
    const approval = await api.approval(by(request), id, waitMsOf(request), closeSignal(request, response));
    response.json({ approval });
  });
  router.delete('/:id', (request: Request, response: Response) => {
    response.json({ approval: api.withdraw(by(request), String(request.params['id'])) });
  });
  return router;
};
