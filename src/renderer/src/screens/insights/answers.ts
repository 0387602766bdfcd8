import * as z from 'zod';

/** The interface leaves these shapes open; what is known of them is read here, and an odd answer is said to be one. */
const totals = z.looseObject({ currency: z.string(), sales: z.int(), items: z.int(), revenueMinor: z.int() });
export type Totals = z.infer<typeof totals>;
export const summaryShape = z.looseObject({ sales: z.array(totals).default([]) });

export const inventoryShape = z.looseObject({
  listed: z.int().default(0),
  sold: z.int().default(0),
  unsold: z.int().default(0),
  notYetLive: z.int().nullish(),
});
export type Inventory = z.infer<typeof inventoryShape>;

const itemSales = z.looseObject({
  listingId: z.string().nullish(),
  title: z.string().default(''),
  sold: z.int(),
  revenueMinor: z.int(),
  currency: z.string(),
  lastSoldAt: z.string().nullish(),
});
export type ItemSales = z.infer<typeof itemSales>;
export const itemsShape = z.looseObject({ items: z.array(itemSales).default([]) });

const sale = z.looseObject({
  title: z.string().default(''),
  quantity: z.int().default(1),
  unitCents: z.int(),
  currency: z.string(),
  at: z.string().nullish(),
});
export type Sale = z.infer<typeof sale>;
export const dayShape = z.looseObject({ sales: z.array(sale).default([]) });
