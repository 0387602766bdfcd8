import type { IncomingMessage } from 'node:http';
import { hostsIn, isForUs } from '../loopback/http.ts';

/** Why a request is not answered at all. */
type Refusal = { status: number; sentence: string };

const header = (request: IncomingMessage, name: string): string | undefined => {
  const value = request.headers[name];
  return Array.isArray(value) ? value.join(', ') : value;
};

/**
 * Looks at where a request comes from, before anything of it is read: the Host must be ours, which nobody
 * can guess (a foreign name that resolves to this machine is not, nor is its address: others may have had that), and no
 * other site may have made a browser send it.
 */
export const refusalOf = (request: IncomingMessage, host: string): Refusal | null => {
  if (!isForUs(request)) return { status: 400, sentence: 'The request is not well formed.' };
  if (header(request, 'host') !== host || hostsIn(request) > 1)
    return {
      status: 421,
      sentence: 'This address does not open the companion: open the link that its terminal shows.',
    };
  const origin = header(request, 'origin');
  const changes = request.method !== 'GET' && request.method !== 'HEAD';
  const socket = header(request, 'upgrade') !== undefined;
  const foreign = origin === undefined ? changes || socket : origin !== `http://${host}`;
  const site = header(request, 'sec-fetch-site');
  const crossSite = site !== undefined && site !== 'same-origin' && site !== 'none';
  // Following a link to the page itself from elsewhere is harmless: without the secret it shows nothing.
  const opened =
    !changes && header(request, 'sec-fetch-mode') === 'navigate' && header(request, 'sec-fetch-dest') === 'document';
  if (foreign || (crossSite && !opened)) {
    return { status: 403, sentence: 'Only the window of the companion may ask for this.' };
  }
  return null;
};
