import { codeIn, errorBody, isBeyond, parseJson, sentenceIn, type Route } from '../../contract/index.ts';
import { problemText, type ProblemText } from '../base/problem.ts';
import { ServiceError } from './serviceError.ts';

/** An answer as it came over the wire; `text` is null when there was too much of it. */
export type Reply = { status: number; headers: Record<string, string>; text: string | null };

/** What a refusal may say besides its sentence; more than this is no refusal of the interface. */
const mostCharacters = 64 * 1024;
const bounds = { levels: 32, values: 2_000 };
/** Nobody waits longer than the longest of the interface's budgets lasts. */
const longestWaitS = 24 * 3_600;

/**
 * The error of an answer that is no success: the service's own sentence and code where it gave them, ours where it did
 * not. A page of a proxy is no body: nothing of it is kept.
 */
export const refusalOf = (route: Route, { status, headers, text }: Reply): ServiceError => {
  const parsed = errorBody.safeParse(jsonOf(text));
  const body = parsed.success ? parsed.data : undefined;
  const dead = status === 401 || (status === 403 && body?.message === 'Forbidden' && body.error === undefined);
  const sentence = sentenceIn(body?.error);
  const ours = dead ? forbidden(route) : ownText(status, sentence !== null);
  return new ServiceError({
    ...(sentence === null ? ours : { sentence }),
    code: codeIn(body?.code) ?? ours.code,
    // Where a redirect would have led, nobody knows.
    effect: status >= 500 || status < 400 ? 'unclear' : 'refused',
    status,
    body,
    headers,
    retryAfterS: secondsOf(headers['retry-after']),
  });
};

const jsonOf = (text: string | null): unknown => {
  if (text === null || text.length > mostCharacters || isBeyond(text, bounds)) return undefined;
  try {
    return parseJson(text);
  } catch {
    return undefined;
  }
};

/** A bare "Forbidden": of a route that takes the key, the key no longer works; any other is not for assistants. */
const forbidden = ({ access }: Route): ProblemText =>
  problemText(access === 'agent' ? 'RECONNECT_NEEDED' : 'NOT_FOR_ASSISTANTS');

/** A text of our own for a refusal; only one with a sentence of the service's is known to be about whose it is. */
const ownText = (status: number, explained: boolean): ProblemText => {
  if (status >= 500) return problemText('SERVICE_FAULT');
  if (status === 403 && explained) return { ...problemText('REFUSED'), code: 'NOT_YOURS' };
  if (status === 404) return problemText('NOT_FOUND.atService');
  if (status === 409) return { ...problemText('REFUSED'), code: 'WRONG_STATE' };
  return problemText(status === 429 ? 'TOO_MANY_REQUESTS' : 'REFUSED');
};

/** The seconds of a Retry-After header, a day at most; undefined when it names none. */
export const secondsOf = (header: string | undefined): number | undefined => {
  const seconds = Number(header);
  const isTime = header !== undefined && header.trim() !== '' && Number.isFinite(seconds) && seconds >= 0;
  return isTime ? Math.min(seconds, longestWaitS) : undefined;
};
