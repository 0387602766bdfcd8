import { Router, type Request, type Response } from 'express';
import { heldBytes } from '../loopback/http.ts';
import { guide, guideFacts } from './guide.ts';
import { bridgeOpenApi } from './openApi.ts';

/** Returns the entry document for assistants in the format of llmstxt.org. */
const llmsText = (url: string): string =>
  [
    '# Listing Companion',
    '',
    '> The listing service of the person at this machine, reached by way of their confirmations.',
    '',
    '## Docs',
    '',
    `- [Guide](${url}/companion/guide): how to be let in and how to take photos to a live listing`,
    `- [OpenAPI](${url}/companion/openapi.json): every call`,
    `- [MCP](${url}/mcp): the same as tools, with the same token`,
    '',
  ].join('\n');

type About = { version: string; url: () => string };
type Document = { type: string; text: (url: string, version: string) => string };

const json = 'application/json; charset=utf-8';
const documents = {
  llms: { type: 'text/plain; charset=utf-8', text: llmsText },
  guide: { type: 'text/markdown; charset=utf-8', text: guide },
  guideFacts: { type: json, text: (url, version) => JSON.stringify(guideFacts(url, version)) },
  openApi: { type: json, text: (url, version) => JSON.stringify(bridgeOpenApi(url, version)) },
} satisfies Record<string, Document>;

/** Limits memory when callers request documents and do not read them; no token is needed here. */
const mostHeld = 32 * 1024 * 1024;

/** Serves the public documents. Each is rendered once per address, and all answers share the same bytes. */
export const publicDocuments = ({ version, url }: About): Router => {
  const router = Router();
  const hold = heldBytes(mostHeld);
  const made = new Map<Document, { url: string; bytes: Buffer }>();

  const bytesOf = (document: Document): Buffer => {
    const known = made.get(document);
    if (known?.url === url()) return known.bytes;
    const bytes = Buffer.from(document.text(url(), version));
    made.set(document, { url: url(), bytes });
    return bytes;
  };
  const send = (response: Response, document: Document): void => {
    const bytes = bytesOf(document);
    hold(response, bytes.length);
    response.writeHead(200, { 'Content-Type': document.type, 'Content-Length': bytes.length }).end(bytes);
  };

  router.get('/llms.txt', (_request: Request, response: Response) => send(response, documents.llms));
  router.get('/companion/guide', (request: Request, response: Response) => {
    const asJson = request.accepts(['text/markdown', 'application/json']) === 'application/json';
    send(response, asJson ? documents.guideFacts : documents.guide);
  });
  router.get('/companion/openapi.json', (_request: Request, response: Response) => send(response, documents.openApi));
  return router;
};
