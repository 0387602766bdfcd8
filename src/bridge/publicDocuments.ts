import { Router, type Request, type Response } from 'express';
import { createUnreadBytesLimiter } from '../loopback/http.ts';
import { formatGuideMarkdown, createGuideData } from './guide.ts';
import { createBridgeOpenApi } from './openApi.ts';

const formatLlmsText = (url: string): string =>
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

type BridgeInfo = { version: string; url: () => string };
type Document = { type: string; text: (url: string, version: string) => string };

const json = 'application/json; charset=utf-8';
const documents = {
  llms: { type: 'text/plain; charset=utf-8', text: formatLlmsText },
  guide: { type: 'text/markdown; charset=utf-8', text: formatGuideMarkdown },
  guideFacts: { type: json, text: (url, version) => JSON.stringify(createGuideData(url, version)) },
  openApi: { type: json, text: (url, version) => JSON.stringify(createBridgeOpenApi(url, version)) },
} satisfies Record<string, Document>;

/**
 * Limits the memory for documents that a caller requests but never receives to the end. Any caller can do this, because
 * these documents need no token.
 */
const maxUnreadDocumentBytes = 32 * 1024 * 1024;

/** Serves the documents that need no token. Each document is rendered again only if the bridge's URL changes. */
export const createPublicDocumentRoutes = ({ version, url }: BridgeInfo): Router => {
  const router = Router();
  const trackBytes = createUnreadBytesLimiter(maxUnreadDocumentBytes);
  const made = new Map<Document, { url: string; bytes: Buffer }>();

  const renderDocumentBytes = (document: Document): Buffer => {
    const known = made.get(document);
    if (known?.url === url()) return known.bytes;
    const bytes = Buffer.from(document.text(url(), version));
    made.set(document, { url: url(), bytes });
    return bytes;
  };
  const sendDocumentBytes = (response: Response, document: Document): void => {
    const bytes = renderDocumentBytes(document);
    trackBytes(response, bytes.length);
    response.writeHead(200, { 'Content-Type': document.type, 'Content-Length': bytes.length }).end(bytes);
  };

  router.get('/llms.txt', (_request: Request, response: Response) => sendDocumentBytes(response, documents.llms));
  router.get('/companion/guide', (request: Request, response: Response) => {
    const asJson = request.accepts(['text/markdown', 'application/json']) === 'application/json';
    sendDocumentBytes(response, asJson ? documents.guideFacts : documents.guide);
  });
  router.get('/companion/openapi.json', (_request: Request, response: Response) =>
    sendDocumentBytes(response, documents.openApi),
  );
  return router;
};
