import { errorBody, type Route } from '../../contract/index.ts';
import { told, type Told } from '../problem.ts';
import { ServiceError } from './serviceError.ts';

/** An answer as it came over the wire; `text` is null when there was too much of it. */
export type Reply = { status: number; headers: Record<string, string>; text: string | null };

const longestSentence = 1_000;

/**
 * The error of an answer that is no success: the service's own sentence and code where it gave them, ours where it did
 * not. A page of a proxy is no body: nothing of it is kept.
 */
export const refusalOf = (route: Route, { status, headers, text }: Reply): ServiceError => {
  const parsed = errorBody.safeParse(jsonOf(text));
  const body = parsed.success ? parsed.data : undefined;
  const dead = status === 401 || (status === 403 && body?.message === 'Forbidden' && body.error === undefined);
  const ours = dead ? forbidden(route) : wordsOf(status, body?.error !== undefined);
  return new ServiceError({
    ...(body?.error === undefined ? ours : { sentence: body.error.slice(0, longestSentence) }),
    code: body?.code ?? ours.code,
    // Where a redirect would have led, nobody knows.
    effect: status >= 500 || status < 400 ? 'unclear' : 'refused',
    status,
    body,
    headers,
    retryAfterS: secondsOf(headers['retry-after']),
  });
};

const jsonOf = (text: string | null): unknown => {
  try {
    return JSON.parse(text ?? '');
  } catch {
    return undefined;
  }
};

/** A bare "Forbidden": of a route that takes the key, the key no longer works; any other is not for assistants. */
const forbidden = ({ access }: Route): Told => told(access === 'agent' ? 'RECONNECT_NEEDED' : 'NOT_FOR_ASSISTANTS');

/** Words of our own for a refusal; only one with a sentence of the service's is known to be about whose it is. */
const wordsOf = (status: number, explained: boolean): Told => {
  if (status >= 500) return told('SERVICE_FAULT');
  if (status === 403 && explained) return { ...told('REFUSED'), code: 'NOT_YOURS' };
  if (status === 404) return told('NOT_FOUND.atService');
  if (status === 409) return { ...told('REFUSED'), code: 'WRONG_STATE' };
  return told(status === 429 ? 'TOO_MANY_REQUESTS' : 'REFUSED');
};

/** The seconds of a Retry-After header; undefined when it names none. */
export const secondsOf = (header: string | undefined): number | undefined => {
  const seconds = Number(header);
  return header !== undefined && header.trim() !== '' && Number.isFinite(seconds) && seconds >= 0 ? seconds : undefined;
};
