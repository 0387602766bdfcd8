import { findListingCurrency } from '../../../../../contract/index.ts';
import { type Listing, getErrorSentence } from '../../../api/call.ts';
import { formatCents } from '../../../components/text/format.ts';
import { formatCondition } from '../../../components/text/formatCondition.ts';
import { convertHtmlToText } from '../../../../../text/htmlText.ts';
import { t } from '../../../i18n.ts';
import type { ListingEdits, SaveListing } from './QueuedEdits.tsx';
import { findOwnEntry } from '../../../../../contract/untrusted.ts';
import { Button } from '@mantine/core';
import { IconChevronRight } from '@tabler/icons-react';
import { useEffect, useId, useRef, useState } from 'react';
import { useOriginalListing } from '../../../api/queries.ts';
import { ChangedText, computeWordDiff } from '../../../components/text/ChangedText.tsx';
import { ProblemLine } from '../../../components/ScreenPage.tsx';
import { UntrustedText, escapeHiddenText } from '../../../components/text/UntrustedText.tsx';
import { useScreenKeys } from '../../../components/Keys.tsx';
import { useOfferedAction } from '../../../components/acts/offeredActs.tsx';
import tables from '../../approvals/tables.module.css';
import styles from './review.module.css';

/**
 * A field that has changed since the listing was written. `back` restores the old value; null if that is impossible.
 */
type WrittenChange = { field: string; label: string; was: string; now: string; back: ListingEdits | null };

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
        back: { itemSpecifics },
      };
    });
};

const diffListingDescription = (was: Listing, now: Listing): WrittenChange[] => {
  const [before, after] = [was.description ?? '', now.description ?? ''];
  if (before === after) return [];
  const words = [convertHtmlToText(before), convertHtmlToText(after)] as const;
  const [shownBefore, shownAfter] = words[0] === words[1] ? [before, after] : words;
  const label = t('review.description');
  return [{ field: 'description', label, was: shownBefore, now: shownAfter, back: { description: before } }];
};

export const listChangesSinceWritten = (was: Listing, now: Listing): WrittenChange[] => [
  ...Object.entries(getComparedFields()).flatMap(([field, { label, words, back }]) => {
    const same = words(was) === words(now);
    return same ? [] : [{ field, label, was: words(was), now: words(now), back: back(was) }];
  }),
  ...diffItemSpecifics(was, now),
  ...diffListingDescription(was, now),
];

type RowProps = { change: WrittenChange; onBack: (() => void) | null };

const WrittenChangeRow = ({ change, onBack }: RowProps) => {
  const diff = computeWordDiff(change.was, change.now);
  const nothing = <i>{t('approvals.change.nothing')}</i>;
  return (
    <tr>
      <th scope="row">
        <UntrustedText text={change.label} />
      </th>
      <td>{change.was === '' ? nothing : <ChangedText parts={diff.before} mark="del" />}</td>
      <td>{change.now === '' ? nothing : <ChangedText parts={diff.after} mark="ins" />}</td>
      <td>
        {onBack && (
          <Button
            size="compact-sm"
            variant="quiet"
            aria-label={t('review.putBackOne', { name: escapeHiddenText(change.label) })}
            onClick={onBack}
          >
            {t('review.putBack')}
          </Button>
        )}
      </td>
    </tr>
  );
};

const WrittenChangesTable = ({ changes, save }: { changes: readonly WrittenChange[]; save: SaveListing | null }) => {
  const [refused, setRefused] = useState<string | null>(null);
  const createRestoreHandler = ({ back }: WrittenChange) =>
    back &&
    save &&
    (() => {
      save(back).then(
        () => setRefused(null),
        (error: unknown) => setRefused(getErrorSentence(error)),
      );
    });
  return (
    <>
      {refused && <ProblemLine>{refused}</ProblemLine>}
      <table className={`${tables.changes} ${styles.since}`}>
        <thead>
          <tr>
            <th scope="col">{t('approvals.change.what')}</th>
            <th scope="col">{t('review.wasWritten')}</th>
            <th scope="col">{t('review.standsNow')}</th>
            <td />
          </tr>
        </thead>
        <tbody>
          {changes.map((change) => (
            <WrittenChangeRow key={change.field} change={change} onBack={createRestoreHandler(change)} />
          ))}
        </tbody>
      </table>
    </>
  );
};

export const ChangesSinceWritten = ({ listing, save }: { listing: Listing; save: SaveListing | null }) => {
  const [open, setOpen] = useState(false);
  const id = useId();
  const section = useRef<HTMLElement>(null);
  // A key opens the table from anywhere on the page, so the table is scrolled into view.
  useEffect(() => {
    if (open) section.current?.scrollIntoView({ block: 'nearest' });
  }, [open]);
  const written = useOriginalListing(listing.listingId).data;
  // Changes do not matter any more once the listing is over.
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
      <div id={id}>{open && <WrittenChangesTable changes={changes} save={save} />}</div>
    </section>
  );
};
