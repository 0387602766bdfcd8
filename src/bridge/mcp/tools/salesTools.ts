import * as z from 'zod';
import { day } from '../../../contract/fields.ts';
import { parseNotificationsAnswer } from '../../../core/notifications/noticeBoard.ts';
import { ageS, cents, currency, nextStep, toOpaqueToken, toServiceCode, untrusted } from '../fields.ts';
import { omitUndefinedFields, readServiceAnswer } from '../serviceCalls.ts';
import { hints, defineTool } from '../tool.ts';

/** The interface does not define these answers, so only the known fields are declared. */
const totals = z.looseObject({
  sales: z
    .array(
      z.looseObject({
        currency: z.string(),
        sales: z.int().nullish(),
        items: z.int().nullish(),
        revenueMinor: z.int(),
      }),
    )
    .default([]),
  listings: z.record(z.string(), z.int()).nullish().catch(null),
});
const itemSales = z.looseObject({
  items: z
    .array(
      z.looseObject({
        listingId: z.string().nullish(),
        title: z.string().nullish(),
        sold: z.int(),
        revenueMinor: z.int(),
        currency: z.string(),
        lastSoldAt: z.string().nullish(),
      }),
    )
    .default([]),
});

const maxItems = 100;

export const readSales = defineTool({
  name: 'read_sales',
  title: 'Read sales and earnings',
  description: 'Read what the person sold and earned in a period. Not in a loop: byItem draws on a daily budget.',
  input: z.object({
    from: day.optional().describe('The first day; by default 30 days ago.'),
    to: day.optional(),
    byItem: z.boolean().default(false).describe('Also what each item sold.'),
  }),
  output: z.object({
    totals: z.array(z.object({ currency, sales: z.int().nullable(), items: z.int().nullable(), revenueCents: cents })),
    listings: z.record(z.string(), z.int()).nullable().describe('How many are in each state now.'),
    items: z
      .array(
        z.object({
          listingId: z.string().nullable(),
          untrustedTitle: untrusted.nullable(),
          sold: z.int(),
          revenueCents: cents,
          currency,
          lastSoldAt: z.string().nullable(),
        }),
      )
      .nullable()
      .describe('The items that sold last come first; null unless byItem.'),
    ageS,
    nextStep,
  }),
  decides: ['totals', 'nextStep'],
  hints: hints.reads,
  run: async ({ byItem, ...period }, context) => {
    const query = omitUndefinedFields(period);
    const { body, ageS: age } = await readServiceAnswer(context, 'readInsightsSummary', { query });
    const found = totals.parse(body);
    const items = byItem
      ? itemSales.parse((await readServiceAnswer(context, 'readItemSales', { query })).body).items
      : null;
    return {
      totals: found.sales.map((one) => ({
        currency: toServiceCode(one.currency),
        sales: one.sales ?? null,
        items: one.items ?? null,
        revenueCents: one.revenueMinor,
      })),
      listings: found.listings ?? null,
      items:
        items?.slice(0, maxItems).map((one) => ({
          listingId: toOpaqueToken(one.listingId),
          untrustedTitle: one.title ?? null,
          sold: one.sold,
          revenueCents: one.revenueMinor,
          currency: toServiceCode(one.currency),
          lastSoldAt: toServiceCode(one.lastSoldAt),
        })) ?? null,
      ageS: age,
      nextStep: 'Tell the person the revenue by currency: it is before fees and shipping.',
    };
  },
  summarize: ({ totals: found }) =>
    found.length === 0
      ? 'Nothing was sold in this period.'
      : `Revenue: ${found.map(({ revenueCents, currency: of }) => `${revenueCents} cents ${of ?? ''}`.trim()).join(', ')}.`,
});

const page = z.looseObject({ nextCursor: z.string().nullish().catch(null) });

export const readNotifications = defineTool({
  name: 'read_notifications',
  title: 'Read notifications',
  description: 'Read sales, results of publishing and notices, newest first. Not more than once a minute.',
  input: z.object({
    since: z.iso.datetime({ offset: true }).optional().describe('newestAt of your last call: only later ones.'),
  }),
  output: z.object({
    notifications: z.array(
      z.object({
        notifId: z.string().nullable(),
        kind: z.string().nullable(),
        untrustedText: untrusted,
        listingId: z.string().nullable(),
        at: z.string().nullable(),
      }),
    ),
    newestAt: z.string().nullable().describe('Give it as since next time.'),
    nextCursor: z.string().nullable().describe('Set if older ones might be new, too.'),
    ageS,
    nextStep,
  }),
  decides: ['newestAt', 'nextStep'],
  hints: hints.reads,
  run: async ({ since }, context) => {
    // The companion reads without parameters once a minute, and only the same request shares its answer.
    const { body, ageS: age } = await readServiceAnswer(context, 'listNotifications', {});
    const sinceMs = since === undefined ? -Infinity : Date.parse(since);
    const rows = parseNotificationsAnswer(body);
    // A notification without a time is never left out, because it might be new.
    const later = rows.filter(({ at }) => at === null || at > sinceMs);
    const nextCursor = later.length < rows.length ? null : toOpaqueToken(page.parse(body).nextCursor);
    const newestMs = Math.max(sinceMs, ...rows.flatMap(({ at }) => at ?? []));
    return {
      notifications: later.map(({ notifId, kind, text, listingId, at }) => ({
        notifId: toOpaqueToken(notifId),
        kind: toServiceCode(kind),
        untrustedText: text,
        listingId: toOpaqueToken(listingId),
        at: at === null ? null : new Date(at).toISOString(),
      })),
      newestAt: Number.isFinite(newestMs) ? new Date(newestMs).toISOString() : null,
      nextCursor,
      ageS: age,
      nextStep:
        nextCursor === null
          ? 'Tell the person what is new.'
          : 'Tell the person what is new. For older ones, wait a minute, then call_service listNotifications with query.cursor nextCursor.',
    };
  },
  summarize: ({ notifications: { length } }) => `${length} ${length === 1 ? 'notification' : 'notifications'}.`,
});
