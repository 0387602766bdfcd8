import type { IncomingMessage } from 'node:http';
import { hostsIn, isForUs } from '../../loopback/requestLine.ts';
import { Refusal } from '../refusal.ts';

/** What a path is to a browser: a page that its token protects, a form of the controls' own page, or nothing. */
export type PageKind = 'token' | 'controls' | null;

/** The kind of page that a path leads to. */
export const pageKind = (path: string): PageKind => {
  if (path.startsWith('/person/') || path.startsWith('/r/')) return 'token';
  return path.startsWith('/practice/page/') ? 'controls' : null;
};

/**
 * Refuses calls that did not come from a program on this machine: a Host that is a name from outside (a page that
 * rebinds its domain to loopback), or any Origin (a page that calls from a browser). Forms of our own pages are let in.
 */
export const guard = (request: IncomingMessage, port: number, page: PageKind): void => {
  const { headers } = request;
  const own = [`127.0.0.1:${port}`, `localhost:${port}`];
  if (!isForUs(request)) throw new Refusal(400, 'The request is not well formed.');
  if (!own.includes(headers.host ?? '') || hostsIn(request) > 1)
    throw new Refusal(421, 'This service answers on 127.0.0.1 only.');
  const { origin } = headers;
  if (origin === undefined) return;
  const ownPage = own.some((host) => origin === `http://${host}`) || (page === 'token' && origin === 'null');
  if (page === null || !ownPage) throw new Refusal(403, 'This service is not for web pages.');
};
