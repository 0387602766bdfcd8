import {
  ProtocolError,
  ProtocolErrorCode,
  ResourceNotFoundError,
  type CallToolResult,
  type InputRequiredResult,
  type Server,
} from '@modelcontextprotocol/server';
import * as z from 'zod';
import { Problem } from '../../core/base/problem.ts';
import type { PersonText, PersonTexts } from '../../core/companion/personTexts.ts';

const guideUri = 'companion://guide';
/** The URI of the card that shows answers of `cardTool`. */
export const cardUri = 'ui://listing-companion/receipt';
export const cardTool = 'check_request';
const cardType = 'text/html;profile=mcp-app';
export const cardCapabilities = { extensions: { 'io.modelcontextprotocol/ui': { mimeTypes: [cardType] } } };

const cardCapabilitiesSchema = z.looseObject({
  extensions: z.looseObject({
    'io.modelcontextprotocol/ui': z.looseObject({ mimeTypes: z.array(z.string()) }),
  }),
});
/** Returns whether a client with these capabilities shows cards (the MCP Apps extension). */
export const hasCardSupport = (capabilities: unknown): boolean =>
  cardCapabilitiesSchema
    .safeParse(capabilities)
    .data?.extensions['io.modelcontextprotocol/ui'].mimeTypes.includes(cardType) ?? false;

const cardStates = {
  pending: 'pending',
  held: 'held',
  approved: 'sending',
  sending: 'sending',
  done: 'done',
  unchecked: 'unchecked',
  failed: 'failed',
  unconfirmed: 'unconfirmed',
  declined: 'declined',
  expired: 'expired',
  withdrawn: 'withdrawn',
  superseded: 'superseded',
} as const satisfies Record<string, PersonText>;

const cardNames = [
  'item',
  'listing',
  'refused',
  'state',
  'outcome',
  'liveAt',
  'code',
  'request',
] as const satisfies PersonText[];

const wordingSchema = z.record(z.string().max(40), z.string().max(500));
const cardTextsSchema = z.object({
  language: z.string().max(35),
  title: z.string().max(500),
  states: wordingSchema,
  names: wordingSchema,
});
type CardTexts = z.infer<typeof cardTextsSchema>;

const toCardTexts = ({ language, text }: PersonTexts): CardTexts => ({
  language,
  title: text('title'),
  states: Object.fromEntries(Object.entries(cardStates).map(([state, name]) => [state, text(name)])),
  names: Object.fromEntries(cardNames.map((name) => [name, text(name)])),
});

const wordingKey = 'listing-companion/receipt';
/** The texts are sent with each answer, because the card itself might not be in the person's language. */
export const cardMeta = z.looseObject({ [wordingKey]: cardTextsSchema });
/** Adds the card's texts to an answer. */
export const addCardTexts = <T extends CallToolResult | InputRequiredResult>(answer: T, texts: PersonTexts): T => ({
  ...answer,
  _meta: { ...answer._meta, [wordingKey]: toCardTexts(texts) },
});

/** Escapes `<`, so that no text can close the script element. */
const toScriptJson = (value: unknown): string => JSON.stringify(value).replaceAll('<', '\\u003c');

/** All values, including URLs, are inserted as text only. The card has no controls and calls no tools. */
const createCardScript = (own: CardTexts): string => `'use strict';
const own = ${toScriptJson(own)};
const post = (message) => parent.postMessage({ jsonrpc: '2.0', ...message }, '*');
const textOf = (value) => (typeof value === 'string' ? value : '');
const nameFrom = (group, name) => (Object.hasOwn(group ?? {}, name) ? textOf(group[name]) : '');
const wordsOf = (given) => (part, name) => nameFrom(given?.[part], name) || nameFrom(own[part], name);
const stateOf = ({ state, code }) => (state === 'done' && code === 'NOT_CHECKED' ? 'unchecked' : state);
const rowsOf = (data, word) => {
  const names = Object.fromEntries(Object.keys(own.names).map((name) => [name, word('names', name)]));
  if (Array.isArray(data.items)) return data.items.flatMap((item) => rowsOf(item ?? {}, word));
  if (textOf(data.itemId)) return [[names.item, textOf(data.words)], [names.listing, textOf(data.listingId)]];
  if (!textOf(data.requestId)) return [[names.refused, textOf(data.error)]];
  return [
    [names.state, word('states', stateOf(data)) || textOf(data.state)],
    [names.outcome, textOf(data.untrustedOutcome)],
    [names.liveAt, textOf(data.liveUrl)],
    [names.code, textOf(data.code)],
    [names.request, textOf(data.requestId)],
  ];
};
const element = (name, text) => Object.assign(document.createElement(name), { textContent: text.slice(0, 500) });
const resize = () => {
  const { scrollWidth: width, scrollHeight: height } = document.documentElement;
  post({ method: 'ui/notifications/size-changed', params: { width, height } });
};
const show = (result) => {
  const data = result?.structuredContent ?? {};
  const given = result?._meta?.['${wordingKey}'];
  document.documentElement.lang = textOf(given?.language) || own.language;
  document.title = textOf(given?.title) || own.title;
  document.getElementById('what').textContent = textOf(data.untrustedSummary).slice(0, 300) || 'Listing Companion';
  const rows = rowsOf(data, wordsOf(given)).filter(([, text]) => text !== '');
  document.getElementById('facts').replaceChildren(
    ...rows.flatMap(([name, text]) => [element('dt', name), element('dd', text)]),
  );
  resize();
};
addEventListener('message', ({ source, data }) => {
  if (source !== parent || data?.jsonrpc !== '2.0') return;
  if (data.id === 1 && data.result) post({ method: 'ui/notifications/initialized', params: {} });
  if (data.method === 'ui/notifications/tool-result') show(data.params);
  if (data.method === 'ui/resource-teardown' || data.method === 'ping') post({ id: data.id, result: {} });
});
post({
  id: 1,
  method: 'ui/initialize',
  params: {
    protocolVersion: '2026-01-26',
    appInfo: { name: 'listing-companion-receipt', version: '1.0.0' },
    appCapabilities: { availableDisplayModes: ['inline'] },
  },
});`;

/**
 * Returns the HTML page of the card, which is the same for every answer and loads nothing. `texts` are used only if an
 * answer contains no texts.
 */
export const createCardPage = (texts: PersonTexts): string => `<!doctype html>
<html lang="${texts.language}">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; script-src 'unsafe-inline'; style-src 'unsafe-inline'; form-action 'none'; base-uri 'none'">
<title>${texts.text('title')}</title>
<style>
:root { color-scheme: light dark; font: 14px/1.5 system-ui, sans-serif; }
body { margin: 0; padding: 12px 16px; color: light-dark(#1b1b1f, #ececf1); background: light-dark(#fff, #1b1b1f); }
h1 { margin: 0 0 8px; font-size: 16px; overflow-wrap: anywhere; }
dl { display: grid; grid-template-columns: max-content 1fr; gap: 4px 16px; margin: 0; }
dt { color: light-dark(#5c5c66, #a9a9b5); }
dd { margin: 0; overflow-wrap: anywhere; }
</style>
</head>
<body>
<h1 id="what">Listing Companion</h1>
<dl id="facts"></dl>
<script>
${createCardScript(toCardTexts(texts))}
</script>
</body>
</html>
`;

const guideResource = {
  uri: guideUri,
  name: 'guide',
  title: 'Working with Listing Companion',
  description: 'The whole way over plain HTTP, for what the tools do not do.',
  mimeType: 'text/markdown',
};
const ui = {
  csp: { connectDomains: [], resourceDomains: [], frameDomains: [], baseUriDomains: [] },
  prefersBorder: true,
};
const cardResource = {
  uri: cardUri,
  name: 'receipt',
  title: 'Receipt',
  description: 'Shows an answer of check_request to the person. It reads and does nothing else.',
  mimeType: cardType,
  _meta: { ui },
};

type ResourceContext = {
  guide: () => Promise<string>;
  personTexts: () => Promise<PersonTexts>;
  canShowCards: (envelope: unknown) => boolean;
};

/** Serves the guide to every client, and the card to clients that show cards. */
export const serveMcpResources = (server: Server, { guide, personTexts, canShowCards }: ResourceContext): void => {
  server.setRequestHandler('resources/list', (_request, { mcpReq }) => ({
    resources: canShowCards(mcpReq.envelope) ? [guideResource, cardResource] : [guideResource],
  }));
  server.setRequestHandler('resources/templates/list', () => ({ resourceTemplates: [] }));
  server.setRequestHandler('resources/read', async ({ params: { uri } }, { mcpReq }) => {
    if (uri === guideUri) {
      const text = await guide().catch((error: unknown) => {
        if (!(error instanceof Problem)) throw error;
        throw new ProtocolError(ProtocolErrorCode.InternalError, error.message);
      });
      return { contents: [{ uri, mimeType: guideResource.mimeType, text }] };
    }
    if (uri !== cardUri || !canShowCards(mcpReq.envelope)) throw new ResourceNotFoundError(uri);
    return { contents: [{ uri, mimeType: cardType, text: createCardPage(await personTexts()), _meta: { ui } }] };
  });
};
