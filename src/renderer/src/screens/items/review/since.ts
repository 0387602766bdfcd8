import { currencyOf } from '../../../../../contract/index.ts';
import type { Listing } from '../../../api/types.ts';
import { conditionWords, formatCents } from '../../../components/text/format.ts';
import { htmlText } from '../../../../../text/htmlText.ts';
import { t } from '../../../i18n/t.ts';
import type { Edits } from './HeldEdits.tsx';
import { entryOf } from '../../../../../contract/foreign.ts';

/** A field that is not as it was written: both sides in words, and the edit that puts it back (null where there is none). */
export type Since = { field: string; label: string; was: string; now: string; back: Edits | null };

type Field = {
  label: string;
  words: (listing: Listing) => string;
  back: (was: Listing) => Edits | null;
};

const fields = (): Record<string, Field> => ({
  title: {
    label: t('review.title'),
    words: ({ title }) => title ?? '',
    back: ({ title }) => (title ? { title } : null),
  },
  price: {
    label: t('review.price'),
    words: (one) => (typeof one.price === 'number' ? formatCents(one.price, currencyOf(one)) : ''),
    back: ({ price }) => (typeof price === 'number' ? { price } : null),
  },
  quantity: {
    label: t('review.quantity'),
    words: ({ quantity }) => String(quantity ?? 1),
    back: ({ quantity }) => ({ quantity: quantity ?? 1 }),
  },
  condition: {
    label: t('review.condition'),
    words: ({ condition }) => (condition ? conditionWords(condition) : ''),
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

const specificsSince = (was: Listing, now: Listing): Since[] => {
  const before = was.itemSpecifics ?? {};
  const after = now.itemSpecifics ?? {};
  const names = [...new Set([...Object.keys(before), ...Object.keys(after)])];
  return names
    .filter((name) => (entryOf(before, name) ?? '') !== (entryOf(after, name) ?? ''))
    .map((name) => {
      const { [name]: _now, ...others } = after;
      const value = entryOf(before, name);
      const itemSpecifics = value === undefined ? others : { ...others, [name]: value };
      return {
        field: `itemSpecifics.${name}`,
        label: name,
        was: value ?? '',
        now: entryOf(after, name) ?? '',
        back: { itemSpecifics },
      };
    });
};

/** Compared as buyers read it; where only its tags differ, as it stands. */
const descriptionSince = (was: Listing, now: Listing): Since[] => {
  const [before, after] = [was.description ?? '', now.description ?? ''];
  if (before === after) return [];
  const words = [htmlText(before), htmlText(after)] as const;
  const [shownBefore, shownAfter] = words[0] === words[1] ? [before, after] : words;
  const label = t('review.description');
  return [{ field: 'description', label, was: shownBefore, now: shownAfter, back: { description: before } }];
};

/** What of a listing is no longer as it was written, in the order of the fields. */
export const changesSince = (was: Listing, now: Listing): Since[] => [
  ...Object.entries(fields()).flatMap(([field, { label, words, back }]) => {
    const same = words(was) === words(now);
    return same ? [] : [{ field, label, was: words(was), now: words(now), back: back(was) }];
  }),
  ...specificsSince(was, now),
  ...descriptionSince(was, now),
];
