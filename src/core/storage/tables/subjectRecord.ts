import * as z from 'zod';
import { routeNames } from '../../../contract/index.ts';

/** The name of a route as it is stored. */
export const routeName = z.enum(routeNames);

const request = z.object({ route: routeName, input: z.unknown() });

const base = { request, first: z.array(request), asker: z.string(), account: z.string() };

const quoteShape = z.object({
  state: z.enum(['fee', 'free', 'unavailable']),
  currency: z.string().nullable(),
  totalMinor: z.int().nullable(),
  lines: z.array(z.object({ name: z.string(), amountMinor: z.int() })),
});

const current = z.object({
  ...base,
  version: z.literal(2),
  /** Names the key of the service without being it. */
  key: z.string(),
  listing: z.record(z.string(), z.unknown()).nullable(),
  photos: z.array(z.object({ sha256: z.string(), contentType: z.string() })),
  quote: quoteShape.nullable(),
  feeNotice: z.object({ site: z.string(), agreed: z.boolean() }).nullable(),
  context: z.record(z.string(), z.unknown()),
});

/** What approvals were bound to before there were subjects; none of them is ever sent any more. */
const earlier = z.object({ ...base, version: z.literal(1), bound: z.record(z.string(), z.string()) });

export const subjectShape = z.discriminatedUnion('version', [current, earlier]);

/**
 * What a yes is bound to: the request, who asks, the account and its key, the whole listing with its photos by content,
 * the quote, the fee notice, and what else the service would act by. Prompt, digest, receipt and "what changed" are
 * projections of it.
 */
export type Subject = z.infer<typeof current>;

export type StoredSubject = z.infer<typeof subjectShape>;

export type Quote = z.infer<typeof quoteShape>;
