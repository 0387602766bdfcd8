import type { NextFunction, Request, RequestHandler, Response } from 'express';
import type { Assistants } from '../core/assistants/assistants.ts';
import type { Asker } from '../core/approvals/approval.ts';
import { Problem } from '../core/problem.ts';

/**
 * Looks at every request before its body is read: it must name this very address, must not come from a web page, and
 * what it sends must be JSON. No CORS header is ever answered, so a page in a browser gets nothing out of here.
 */
export const guard =
  (port: () => number): RequestHandler =>
  (request: Request, response: Response, next: NextFunction): void => {
    response.setHeader('Cache-Control', 'no-store');
    response.setHeader('X-Content-Type-Options', 'nosniff');
    const hosts = [`127.0.0.1:${port()}`, `localhost:${port()}`];
    if (!hosts.includes(request.headers.host ?? '')) {
      throw new Problem('WRONG_HOST', `Call the companion at http://${hosts[0]}.`);
    }
    if (request.headers.origin !== undefined) {
      throw new Problem('ORIGIN_REFUSED', 'Web pages may not call the companion.');
    }
    const sends =
      request.headers['transfer-encoding'] !== undefined || Number(request.headers['content-length'] ?? 0) > 0;
    if (sends && !/^application\/json\s*(;\s*charset=utf-8\s*)?$/i.test(request.headers['content-type'] ?? '')) {
      throw new Problem('JSON_ONLY', 'Send the body as application/json.');
    }
    next();
  };

/** The assistant that calls. Throws when the token is missing, unknown, or its assistant paused. */
export const caller = (assistants: Assistants, request: Request): Asker & { kind: 'assistant' } => {
  const [, token] = /^Bearer (\S+)$/.exec(request.headers.authorization ?? '') ?? [];
  const found = token === undefined ? null : assistants.whose(token);
  if (!found) {
    throw new Problem(
      'UNAUTHORIZED',
      'Pair with the companion first: POST /companion/pairings with your name, then send the token as Authorization: Bearer.',
    );
  }
  if (found.paused)
    throw new Problem('ASSISTANT_PAUSED', 'The person has paused this assistant. Ask them before going on.');
  return { kind: 'assistant', assistantId: found.assistantId, name: found.name };
};

const longestWaitMs = 45_000;

/** How long a caller is willing to wait for the person, in ms: `Prefer: wait=N` or `?wait=N`, at most 45 s. */
export const waitMsOf = (request: Request): number => {
  const [, preferred] = /(?:^|[,;\s])wait=(\d{1,4})\b/.exec(String(request.headers['prefer'] ?? '')) ?? [];
  const asked = preferred ?? (typeof request.query['wait'] === 'string' ? request.query['wait'] : '0');
  return /^\d{1,4}$/.test(asked) ? Math.min(Number(asked) * 1_000, longestWaitMs) : 0;
};

/** Aborted when the caller hangs up; what it asked for stays. */
export const hangUpOf = (request: Request, response: Response): AbortSignal => {
  const abort = new AbortController();
  response.once('close', () => {
    if (!response.writableFinished) abort.abort(new Error(`${request.method} was hung up`));
  });
  return abort.signal;
};
