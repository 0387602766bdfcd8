import { z } from 'zod';
import type { Page } from 'playwright/test';

/** The rows of the table of listings. */
export const getRows = (page: Page) => page.getByRole('rowgroup').getByRole('row');

/** Returns the last input of a call to the core. */
export const readLastInput = (page: Page, call: string): Promise<unknown> =>
  page.evaluate((name) => window.fake.asked.filter((one) => one.name === name).at(-1)?.input, call);

/** Selects listings by their numbers. */
export const selectListings = async (page: Page, ...numbers: number[]): Promise<void> => {
  for (const number of numbers) await page.getByLabel(new RegExp(`^Select .*no\\. ${number}$`)).check();
};

/** The row of a listing in the preview. */
export const getPreviewRow = (page: Page, number: number) =>
  page
    .getByRole('dialog')
    .getByRole('row')
    .filter({ hasText: new RegExp(`no\\. ${number}(?!\\d)`) });

const sentChange = z.object({
  name: z.literal('service.perform'),
  input: z.object({
    route: z.enum(['updateListing', 'reviseListing']),
    input: z.object({ params: z.object({ listingId: z.string() }) }),
  }),
});
/** Returns the ids of the listings that were sent to be changed, in order. */
export const listChangedIds = async (page: Page): Promise<string[]> => {
  const all = await page.evaluate(() => window.fake.asked);
  return all.flatMap((one) => sentChange.safeParse(one).data?.input.input.params.listingId ?? []);
};
