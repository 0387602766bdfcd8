import type { BatchView } from '../../src/core/approvals/batch.ts';
import type { ListingRow } from '../../src/core/listings/listingRow.ts';
import type { CallParsed } from '../../src/ipc/calls.ts';
import { endApproval, reviseApproval } from './fakeData.ts';

const euros = (cents: unknown): string => `US$${(Number(cents) / 100).toFixed(2)}`;

/** One question with a line for each change of a live listing. */
export const makeChanges = (
  rows: readonly ListingRow[],
  requests: CallParsed<'batch.askFor'>['requests'],
): BatchView => ({
  batchId: 'bat_2',
  act: `Change ${requests.length} listings`,
  state: 'waiting',
  askedAt: Date.now(),
  shownAt: Date.now(),
  rows: requests.map(({ route, input }, at) => {
    const listingId = String(input.params?.listingId);
    const row = rows.find((one) => one.listingId === listingId);
    const base = (route === 'endListing' ? endApproval : reviseApproval)({ by: { kind: 'person' }, reason: null });
    const price = (input.body as { price?: number } | undefined)?.price;
    return {
      listingId,
      title: row?.title ?? '',
      problem: null,
      approval: {
        ...base,
        approvalId: `apr_c${at}`,
        digest: `digest-c${at}`,
        prompt: {
          ...base.prompt,
          target: {
            listingId,
            title: row?.title ?? '',
            photoUrl: row?.photoUrl ?? null,
            facts: [{ label: 'Price', value: euros(row?.priceCents) }],
          },
          changes: price === undefined ? [] : [{ label: 'price', before: euros(row?.priceCents), after: euros(price) }],
        },
      },
    };
  }),
});
