import * as z from 'zod';
import type { ApprovalView } from '../../../src/core/storage/tables/approvalRecord.ts';
import type { BatchView } from '../../../src/core/approvals/batches.ts';
import type { ListingRow } from '../../../src/core/storage/tables/listingSearch.ts';
import type { CallParsed } from '../../../src/ipc/calls.ts';
import { endApproval, reviseApproval } from './fakeApprovals.ts';
import { makeBatch } from './fakeBatch.ts';
import { change, fact } from './fakePrompt.ts';

type Request = CallParsed<'batch.askFor'>['requests'][number];

const dollars = (cents: unknown): string => `US$${(Number(cents) / 100).toFixed(2)}`;

const priced = z.object({ price: z.number().optional() });

const approvalOf = ({ route, input }: Request, row: ListingRow | undefined, at: number): ApprovalView => {
  const base = (route === 'reviseListing' ? reviseApproval : endApproval)({
    by: { kind: 'person' },
    reason: null,
    route,
  });
  const { price } = priced.parse(input.body ?? {});
  const photoUrl = row?.photoUrl ?? null;
  return {
    ...base,
    approvalId: `apr_c${at}`,
    digest: `digest-c${at}`,
    prompt: {
      ...base.prompt,
      target: {
        listingId: row?.listingId ?? null,
        title: row?.title ?? '',
        photoUrl,
        photos: photoUrl === null ? [] : [photoUrl],
      },
      facts: [fact('listing', 'price', dollars(row?.priceCents), { label: 'Price' })],
      changes: price === undefined ? [] : [change('price', dollars(row?.priceCents), dollars(price))],
    },
  };
};

/** One question with a line for each change of a live listing. */
export const makeChanges = (rows: readonly ListingRow[], requests: readonly Request[]): BatchView => ({
  ...makeBatch([]),
  rows: requests.map((request, at) => {
    const listingId = String(request.input.params?.listingId);
    const row = rows.find((one) => one.listingId === listingId);
    const approval = approvalOf(request, row, at);
    return { listingId, route: request.route, title: row?.title ?? '', problem: null, approval };
  }),
});
