import type { CeremonyProblem, CeremonyReply } from '../../../ipc/ceremonyPage.ts';

/** A refusal of the core, in the language of the page. */
export class CeremonyError extends Error {
  readonly problem: CeremonyProblem;
  constructor(problem: CeremonyProblem) {
    super(problem.sentence);
    this.problem = problem;
  }
}

const send = (path: string, body: object, keepalive: boolean): Promise<Response> =>
  fetch(`${location.pathname}/${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
    keepalive,
  });

/** Throws a CeremonyError if the core refuses, and another error if the companion does not answer. */
export const askServer = async <T>(path: string, body: object = {}): Promise<T> => {
  const response = await send(path, body, false);
  const reply = (await response.json()) as CeremonyReply<T>;
  if (reply.ok) return reply.value;
  throw new CeremonyError(reply.problem);
};

/** Reaches the server even while the page closes. */
export const cancelCeremony = (): Promise<unknown> => send('cancel', {}, true).catch(() => undefined);
