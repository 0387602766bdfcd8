import type { IncomingMessage, ServerResponse } from 'node:http';

type Answers = (request: IncomingMessage, response: ServerResponse) => void;

/** Answers requests by what is loaded with the first of them: a start does without its code. */
export const fromFirstUse = (load: () => Promise<Answers>): ((...asked: Parameters<Answers>) => Promise<void>) => {
  let loading: Promise<Answers> | undefined;
  return async (request, response) => {
    loading ??= load();
    const answers = await loading;
    answers(request, response);
  };
};
