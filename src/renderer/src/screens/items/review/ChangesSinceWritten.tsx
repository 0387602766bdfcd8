import { findListingCurrency } from '../../../../../contract/index.ts';
import type { Listing } from '../../../api/call.ts';
import { formatCents } from '../../../components/text/format.ts';
import { formatCondition } from '../../../components/text/formatCondition.ts';
import { t } from '../../../i18n.ts';
import type { ListingEdits, SaveListing } from './QueuedEdits.tsx';
import { findOwnEntry } from '../../../../../contract/untrusted.ts';
import { IconChevronRight } from '@tabler/icons-react';
import { useId, useRef, useState } from 'react';
import { useOriginalListing } from '../../../api/queries.ts';
import { createLazyComponent } from '../../../components/createLazyComponent.tsx';
import { useScreenKeys } from '../../../components/Keys.tsx';
import { useOfferedAction } from '../../../components/acts/offeredActs.tsx';
import styles from './review.module.css';
import type { WrittenChange } from './WrittenChangesTable.tsx';

type ComparedField = {
  label: string;
  words: (listing: Listing) => string;
  back: (was: Listing) => ListingEdits | null;
};

const getComparedFields = (): Record<string, ComparedField> => ({
  title: {
    label: t('review.title'),
    words: ({ title }) => title ?? '',
    back: ({ title }) => (title ? { title } : null),
  },
  price: {
    label: t('review.price'),
    words: (one) => (typeof one.price === 'number' ? formatCents(one.price, findListingCurrency(one)) : ''),
    back: ({ price }) => (typeof price === 'number' ? { price } : null),
  },
  quantity: {
    label: t('review.quantity'),
    words: ({ quantity }) => String(quantity ?? 1),
    back: ({ quantity }) => ({ quantity: quantity ?? 1 }),
  },
  condition: {
    label: t('review.condition'),
    words: ({ condition }) => (condition ? formatCondition(condition) : ''),
    back: ({ condition }) => (condition ? { condition } : null),
  },
  conditionDescription: {
    label: t('review.conditionNote'),
    words: ({ conditionDescription }) => conditionDescription ?? '',
    back: ({ conditionDescription }) => ({ conditionDescription: conditionDescription ?? '' }),
  },
  categoryId: {
    label: t('review.category'),
    words: ({ categoryId, categoryName }) => categoryName ?? categoryId ?? '',
    back: ({ categoryId }) => (categoryId ? { categoryId } : null),
  },
});

const diffItemSpecifics = (was: Listing, now: Listing): WrittenChange[] => {
  const before = was.itemSpecifics ?? {};
  const after = now.itemSpecifics ?? {};
  const names = [...new Set([...Object.keys(before), ...Object.keys(after)])];
  return names
    .filter((name) => (findOwnEntry(before, name) ?? '') !== (findOwnEntry(after, name) ?? ''))
    .map((name) => {
      const { [name]: _now, ...others } = after;
      const value = findOwnEntry(before, name);
      const itemSpecifics = value === undefined ? others : { ...others, [name]: value };
      return {
        field: `itemSpecifics.${name}`,
        label: name,
        was: value ?? '',
        now: findOwnEntry(after, name) ?? '',
        isHtml: false,
        back: { itemSpecifics },
      };
    });
};

const diffListingDescription = (was: Listing, now: Listing): WrittenChange[] => {
  const [before, after] = [was.description ?? '', now.description ?? ''];
  if (before === after) return [];
  const label = t('review.description');
  return [{ field: 'description', label, was: before, now: after, isHtml: true, back: { description: before } }];
};

export const listChangesSinceWritten = (was: Listing, now: Listing): WrittenChange[] => [
  ...Object.entries(getComparedFields()).flatMap(([field, { label, words, back }]) => {
    const same = words(was) === words(now);
    return same ? [] : [{ field, label, was: words(was), now: words(now), isHtml: false, back: back(was) }];
  }),
  ...diffItemSpecifics(was, now),
  ...diffListingDescription(was, now),
];

/** Loaded separately, because it compares texts word by word. */
const WrittenChangesTable = createLazyComponent(
  async () => (await import('./WrittenChangesTable.tsx')).WrittenChangesTable,
);

export const ChangesSinceWritten = ({ listing, save }: { listing: Listing; save: SaveListing | null }) => {
  const [open, setOpen] = useState(false);
  const id = useId();
  const section = useRef<HTMLElement>(null);
  // A key opens the table from anywhere on the page.
  const showSection = (): void => {
    section.current?.scrollIntoView({ block: 'nearest' });
  };
  const written = useOriginalListing(listing.listingId).data;
  // Changes no longer matter once the listing has ended or sold.
  const isOver = listing.status === 'sold' || listing.status === 'ended';
  const changes = written?.listing && !isOver ? listChangesSinceWritten(written.listing, listing) : [];
  const some = changes.length > 0;
  const name = t('review.changedSince', { count: changes.length });
  useOfferedAction(some ? { act: 'since', name, run: () => setOpen(!open) } : null);
  useScreenKeys({ c: () => setOpen(some && !open) });
  if (!some) return null;
  return (
    <section aria-label={name} ref={section}>
      <button
        type="button"
        className={styles.disclosure}
        aria-expanded={open}
        aria-controls={id}
        aria-keyshortcuts="C"
        onClick={() => setOpen(!open)}
      >
        <IconChevronRight size={14} aria-hidden />
        {name}
      </button>
      <div id={id}>{open && <WrittenChangesTable changes={changes} save={save} onShown={showSection} />}</div>
    </section>
  );
};
