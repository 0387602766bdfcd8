import { formatEnglish } from '../../i18n/english.ts';
import type { ItemSummary } from '../storage/tables/itemRecord.ts';
import type { SummaryRow } from '../storage/tables/itemQueries.ts';
import { isLong, progressOf, thumbUrl, type Passing } from './itemView.ts';
import { itemWords } from './itemText.ts';

/** An item as a list shows it. */
export const itemSummary = (
  row: SummaryRow,
  { placeInLine, trouble, now }: Pick<Passing, 'placeInLine' | 'trouble' | 'now'>,
): ItemSummary => {
  const { step, stop, prepared, photos, uploaded, going } = row;
  const says = itemWords({
    ...{ step, stop, photos, uploaded, placeInLine, trouble },
    ready: step === 'photos' ? prepared : going,
    long: isLong(row.writing_since, now),
  });
  return {
    itemId: row.item_id,
    name: row.name,
    title: row.title,
    step,
    stop,
    words: formatEnglish(says),
    says,
    progress: progressOf(step, { prepared, photos, uploaded, going }),
    guessed: row.guessed !== 0,
    arrangeable: row.arrangeable === 1,
    listingId: row.listing_id,
    thumbUrl: row.thumb_id === null ? null : thumbUrl(row.thumb_id, row.thumb_sha),
  };
};
