import type { RouteName } from '../../contract/index.ts';
import type { ListingWarning, ReadListingWarnings } from '../listings/warningReader.ts';
import type { ApprovalView } from '../storage/tables/approvalRecord.ts';

type Row = { listingId: string; route: RouteName; approval: ApprovalView | null };

/** Reads the warnings of all rows of a batch at once, because each row is compared with the others. */
export const addBatchWarnings = <B extends { rows: Row[] }>(
  { readWarnings }: { readWarnings: ReadListingWarnings },
  batch: B,
): Omit<B, 'rows'> & { rows: (B['rows'][number] & { warnings: readonly ListingWarning[] })[] } => {
  const { rows } = batch;
  const asked = rows.flatMap(({ listingId, route, approval }) =>
    route === 'publishListing' && approval?.state === 'pending' ? [[listingId, approval.prompt.money] as const] : [],
  );
  const warnings = readWarnings({
    listingIds: asked.map(([listingId]) => listingId),
    makerId: null,
    prices: 'these',
    fees: new Map(asked.flatMap(([listingId, money]) => (money ? [[listingId, money]] : []))),
  });
  return { ...batch, rows: rows.map((row) => ({ ...row, warnings: warnings.get(row.listingId) ?? [] })) };
};
