import { ErrorLine } from '../../components/ScreenPage.tsx';
import { maxBatchListings } from '../approvals/batch/useBatches.ts';
import { BulkActs, useBulkActs } from '../listings/bulk/BulkActs.tsx';
import { ShelfActs } from '../listings/bulk/ShelfActs.tsx';
import { useListingRows } from '../listings/useListings.ts';

/** The list is narrow, so the bar shows few buttons beside the publish button. */
const maxButtons = 2;

/** The selection stays, so that the person can publish what was changed. */
const keepSelection = (): void => undefined;

type Props = { listingIds: readonly string[]; about: string };

/** The actions of selected items that have a listing. They are the same as in the list of listings. */
export const SelectedListingActs = ({ listingIds, about }: Props) => {
  const rows = useListingRows(listingIds.slice(0, maxBatchListings));
  const bulk = useBulkActs(rows, keepSelection);
  const isTooMany = listingIds.length > maxBatchListings;
  return (
    <>
      <BulkActs acts={bulk.acts} places={maxButtons} about={about} disabled={isTooMany || bulk.busy} />
      <ShelfActs targets={{ listingIds: [...listingIds] }} currency={rows[0]?.currency ?? null} />
      <ErrorLine error={bulk.error} />
      {bulk.dialog}
    </>
  );
};
