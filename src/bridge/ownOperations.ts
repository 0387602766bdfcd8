import * as z from 'zod';
import { assistantShelfChanges } from '../core/assistants/assistantShelf.ts';
import { assistantName } from '../core/assistants/assistantName.ts';
import { createPathMatcher, idempotencyKey, limits, listingStatuses, quantity, siteId } from '../contract/index.ts';
import { declineReasons, Problem } from '../core/base/problem.ts';
import { proofBody } from './proof.ts';

export const pairingBody = z.object({ name: assistantName });

const batchedRequest = z.object({
  method: z.string(),
  path: z.string().startsWith('/', 'A path begins with a slash.'),
  body: z.unknown().optional(),
});
export const batchBody = z.object({ requests: z.array(batchedRequest).min(2, 'Send at least two requests.').max(200) });

const absolutePath = z.string().min(1).max(4_000);
/** Null means no template; undefined means the person's default template. */
export const templateChoice = z.string().min(1).max(200).nullable().optional();
/** The code that reads the photos checks that exactly one of `folder` and `photos` is set. */
export const itemBody = z.strictObject({
  folder: absolutePath.optional(),
  photos: z.array(absolutePath).min(1).max(100, 'At most 100 photos make one item.').optional(),
  note: z.string().max(20_000).optional(),
  quantity: quantity.optional(),
  marketplaceId: siteId.optional(),
  listingLanguage: z.string().min(1).max(35).optional(),
  templateId: templateChoice,
  shelf: assistantShelfChanges.optional(),
});
export const itemHeaders = z.object({ 'idempotency-key': idempotencyKey.optional() });
export const photosBody = z.strictObject({
  folder: absolutePath.optional(),
  photos: z
    .array(absolutePath)
    .min(1)
    .max(limits.photosPerListing, `A listing takes at most ${limits.photosPerListing} photos.`)
    .optional(),
});

/** A place, an SKU or a tag to search for. */
export const shelfText = z.string().trim().min(1).max(50);
/** The cursors of the shelf's pages are offsets. */
export const shelfCursor = z
  .string()
  .regex(/^\d{1,7}$/, 'This cursor belongs to another search.')
  .transform(Number);
export const shelfQuery = z.strictObject({
  place: shelfText.optional(),
  sku: shelfText.optional(),
  tag: shelfText.optional(),
  q: z.string().max(200).optional(),
  status: z.enum(listingStatuses).optional(),
  limit: z.coerce.number().int().min(1).max(100).default(25),
  cursor: shelfCursor.optional(),
});
const waitQuery = z.object({
  wait: z.int().min(0).max(45).optional().describe('How many seconds to wait, at most 45.'),
});

const warnings = z
  .array(z.object({ code: z.string(), sentence: z.string() }))
  .describe('Why the listing is weak, with a stable code and a sentence for the person.');
const approval = z.looseObject({
  id: z.string(),
  state: z.string(),
  summary: z.string(),
  expiresAt: z.string(),
  pollAfterMs: z.int().optional(),
  outcome: z.string().optional(),
  code: z.string().nullish(),
  declinedBecause: z.enum(declineReasons).optional(),
  retryAfterS: z.int().optional(),
  supersededBy: z.string().optional(),
  liveUrl: z.string().nullish(),
  liveUrlNotChecked: z.string().nullish(),
  answer: z.looseObject({ status: z.int(), headers: z.record(z.string(), z.string()), body: z.unknown() }).optional(),
  warnings: warnings.optional(),
});
const item = z.looseObject({
  itemId: z.string(),
  step: z.string(),
  words: z.string(),
  listingId: z.string().nullable(),
  stop: z
    .object({ code: z.string(), error: z.string(), retriable: z.boolean() })
    .nullable()
    .describe('Why it stopped. If retriable, the call that created the item resumes it.'),
  warnings,
});
const skippedPhotos = z.array(z.object({ name: z.string(), code: z.string(), error: z.string() }));
export const answerSchemas = {
  approval: z.object({ approval }),
  approvals: z.object({ approvals: z.array(approval) }),
  batch: z.object({ approvals: z.array(z.looseObject({ listingId: z.string(), approval: approval.optional() })) }),
  item: z.object({ item }),
  itemMade: z.object({ itemId: z.string(), item, left: skippedPhotos, warnings }),
  items: z.object({ items: z.array(item) }),
  photos: z.object({
    photos: z.array(z.looseObject({ name: z.string(), imageId: z.string(), url: z.string() })),
    left: skippedPhotos,
  }),
  upload: z.object({ stored: z.literal(true), sha256: z.string(), bytes: z.int() }),
  pairing: z.object({
    pairingId: z.string(),
    pairingSecret: z.string(),
    code: z.string(),
    expiresAt: z.string(),
    pollAfterMs: z.int(),
  }),
  pairingState: z.object({
    state: z.enum(['waiting', 'accepted', 'refused', 'expired']),
    token: z.string().optional(),
  }),
  proof: z.object({ proof: z.string() }),
  about: z.looseObject({ name: z.string(), version: z.string(), links: z.record(z.string(), z.string()) }),
  me: z.looseObject({ assistantId: z.string(), name: z.string(), scope: z.string(), folders: z.array(z.string()) }),
  health: z.object({ status: z.string() }),
  shelf: z.object({ shelf: assistantShelfChanges.required() }),
  shelfPage: z.object({
    listings: z.array(z.looseObject({ listingId: z.string(), shelf: assistantShelfChanges.required() })),
    nextCursor: z.string().nullable(),
  }),
  anything: z.looseObject({}),
} as const;

export type Operation = {
  id: string;
  summary: string;
  open?: boolean;
  body?: z.ZodType;
  headers?: z.ZodObject;
  bytes?: boolean;
  status?: number;
  answer: keyof typeof answerSchemas | 'text' | 'markdown' | 'events' | 'image';
  query?: z.ZodObject;
};

export const operations: Record<string, Operation> = {
  'GET /health': { id: 'health', summary: 'Check whether the companion runs.', open: true, answer: 'health' },
  'GET /llms.txt': { id: 'llms', summary: 'The entry page for assistants.', open: true, answer: 'text' },
  'GET /companion': { id: 'about', summary: 'The name of the program and its addresses.', open: true, answer: 'about' },
  'GET /companion/guide': {
    id: 'guide',
    summary: 'The guide: Markdown, or JSON on Accept.',
    open: true,
    answer: 'markdown',
  },
  'GET /companion/openapi.json': { id: 'openapi', summary: 'This description.', open: true, answer: 'anything' },
  'POST /companion/pairings': {
    id: 'pair',
    summary: 'Ask for access; the person compares the code.',
    open: true,
    body: pairingBody,
    status: 201,
    answer: 'pairing',
  },
  'GET /companion/pairings/{pairingId}': {
    id: 'readPairing',
    summary: 'The state of a pairing; the token is given once. Send Authorization: Pairing with the secret.',
    open: true,
    answer: 'pairingState',
  },
  'POST /companion/proof': {
    id: 'prove',
    summary:
      'Have the companion prove itself before you send it a token, on the same connection. Both sides take the SHA-256 of the token (with pairingId: of the pairingSecret) as the key of HMAC-SHA256 over these lines, joined by line feeds: "listing-companion proof 2", "caller" or "companion", the nonce, your own end of this connection (such as 127.0.0.1:51234, from your socket) and the port that you connected to; all in base64url. Yours is the tag. 401: no such pairing, or a program between you passes it on.',
    open: true,
    body: proofBody,
    answer: 'proof',
  },
  'GET /companion/window': {
    id: 'showWindow',
    summary: 'Bring the window of the companion forward for the person, without any other effect.',
    open: true,
    answer: 'text',
  },
  'GET /companion/me': { id: 'me', summary: 'Your rights, and the rest of your budgets today.', answer: 'me' },
  'GET /companion/approvals': { id: 'listApprovals', summary: 'Your approval requests.', answer: 'approvals' },
  'GET /companion/approvals/{id}': {
    id: 'readApproval',
    summary: 'One approval: its state, and the answer of the service once it is done.',
    query: waitQuery,
    answer: 'approval',
  },
  'DELETE /companion/approvals/{id}': { id: 'withdraw', summary: 'Withdraw an approval request.', answer: 'approval' },
  'POST /companion/approvals/batch': {
    id: 'askTogether',
    summary: 'Request several approvals in one prompt, one per listing.',
    body: batchBody,
    status: 202,
    answer: 'batch',
  },
  'POST /companion/items': {
    id: 'addItem',
    summary:
      'Turn photos in an allowed folder into a listing for review; once per Idempotency-Key. The same key resumes an item whose stop is retriable.',
    body: itemBody,
    headers: itemHeaders,
    status: 202,
    answer: 'itemMade',
  },
  'GET /companion/items': { id: 'listItems', summary: 'Your items.', answer: 'items' },
  'GET /companion/items/{itemId}': {
    id: 'readItem',
    summary: 'The state of an item.',
    query: waitQuery,
    answer: 'item',
  },
  'GET /companion/shelf': {
    id: 'searchShelf',
    summary: 'Find listings by what only the person knows of them. Needs the right "shelf".',
    query: shelfQuery,
    answer: 'shelfPage',
  },
  'GET /companion/listings/{listingId}/shelf': {
    id: 'readShelf',
    summary: 'SKU, place, tags and note of a listing. Needs the right "shelf".',
    answer: 'shelf',
  },
  'PUT /companion/listings/{listingId}/shelf': {
    id: 'changeShelf',
    summary: 'Change these; fields left out stay, null clears one. Needs the right "shelf".',
    body: assistantShelfChanges,
    answer: 'shelf',
  },
  'POST /companion/listings/{listingId}/photos': {
    id: 'addPhotos',
    summary: 'Prepare photos and put them on a listing: allowed paths, or the bytes of one image.',
    body: photosBody,
    bytes: true,
    answer: 'photos',
  },
  'GET /companion/listings/{listingId}/photos/{number}': {
    id: 'readPhoto',
    summary: 'The bytes of one photo of a listing that you may see, by its number from 1.',
    answer: 'image',
  },
  'PUT /uploads/{token}': {
    id: 'putUpload',
    summary:
      'Put the bytes of a photo to an address of POST /listings/upload-url, with the requested Content-Type. The address is valid for 15 minutes, until a prompt about the listing is shown.',
    open: true,
    bytes: true,
    answer: 'upload',
  },
  'POST /mcp': {
    id: 'mcp',
    summary: 'The same calls as tools of the Model Context Protocol (Streamable HTTP, one message per request).',
    body: z.looseObject({ jsonrpc: z.literal('2.0') }),
    answer: 'anything',
  },
  'GET /companion/events': {
    id: 'events',
    summary:
      'Server-sent events of your approvals and items, finished writing and sales; Last-Event-ID resumes after an event.',
    answer: 'events',
  },
};

export const operationKeys = Object.keys(operations);
const publicOperationKeys = operationKeys.filter((call) => operations[call]?.open === true);

const toOperationPattern = (key: string) => {
  const [method = '', path = ''] = key.split(' ');
  return { method, fit: createPathMatcher(path) };
};
// The MCP handler itself answers these two operations, because the answer depends on the protocol revision.
const knownOperations = [...operationKeys, 'GET /mcp', 'DELETE /mcp'].map(toOperationPattern);
const publicOperations = publicOperationKeys.map(toOperationPattern);

/** Returns whether an operation needs no token. */
export const isPublicOperation = (method: string, path: string): boolean =>
  publicOperations.some((one) => one.method === method && one.fit(path) !== null);

/** Throws `UNKNOWN_ROUTE` or `METHOD_NOT_ALLOWED` before the body is read. `allow` receives the allowed methods. */
export const requireKnownOperation = (method: string, path: string, allow: (methods: string[]) => void): void => {
  const fits = knownOperations.filter(({ fit }) => fit(path) !== null);
  if (fits.length === 0) throw new Problem('UNKNOWN_ROUTE', 'The companion has no such path. See /companion/guide.');
  if (fits.some((one) => one.method === method)) return;
  const methods = fits.map((one) => one.method);
  allow(methods);
  throw new Problem('METHOD_NOT_ALLOWED', `This path takes ${methods.join(' and ')}.`);
};
