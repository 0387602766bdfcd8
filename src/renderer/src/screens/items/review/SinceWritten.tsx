import { currencyOf } from '../../../../../contract/index.ts';
import { type Listing, sentenceOf } from '../../../api/call.ts';
import { formatCents } from '../../../components/text/format.ts';
import { conditionText } from '../../../components/text/conditionText.ts';
import { htmlText } from '../../../../../text/htmlText.ts';
import { t } from '../../../i18n.ts';
import type { Edits, Save } from './HeldEdits.tsx';
import { entryOf } from '../../../../../contract/untrusted.ts';
import { Button } from '@mantine/core';
import { useId, useState } from 'react';
import { useWritten } from '../../../api/queries.ts';
import { ChangedText, wordDiff } from '../../../components/text/ChangedText.tsx';
import { ProblemLine } from '../../../components/Page.tsx';
import { UntrustedText, escapedText } from '../../../components/text/UntrustedText.tsx';
import { useKeys } from '../../../components/Keys.tsx';
import { ActButton } from '../../../components/acts/offeredActs.tsx';
import tables from '../../approvals/tables.module.css';
import styles from './review.module.css';

/** A field changed since it was written: both values as text, and the edit that restores it (null if impossible). */
type Since = { field: string; label: string; was: string; now: string; back: Edits | null };

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
    words: ({ condition }) => (condition ? conditionText(condition) : ''),
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

/** Compares the visible text; if only the tags differ, compares the HTML. */
const descriptionSince = (was: Listing, now: Listing): Since[] => {
  const [before, after] = [was.description ?? '', now.description ?? ''];
  if (before === after) return [];
  const words = [htmlText(before), htmlText(after)] as const;
  const [shownBefore, shownAfter] = words[0] === words[1] ? [before, after] : words;
  const label = t('review.description');
  return [{ field: 'description', label, was: shownBefore, now: shownAfter, back: { description: before } }];
};

export const changesSince = (was: Listing, now: Listing): Since[] => [
  ...Object.entries(fields()).flatMap(([field, { label, words, back }]) => {
    const same = words(was) === words(now);
    return same ? [] : [{ field, label, was: words(was), now: words(now), back: back(was) }];
  }),
  ...specificsSince(was, now),
  ...descriptionSince(was, now),
];

type RowProps = { change: Since; onBack: (() => void) | null };

const Row = ({ change, onBack }: RowProps) => {
  const diff = wordDiff(change.was, change.now);
  const nothing = <i>{t('approvals.change.nothing')}</i>;
  return (
    <tr>
      <th scope="row">
        <UntrustedText text={change.label} />
      </th>
      <td>{change.was === '' ? nothing : <ChangedText parts={diff.before} mark="del" />}</td>
      <td>{change.now === '' ? nothing : <ChangedText parts={diff.after} mark="ins" />}</td>
      <td className={styles.back}>
        {onBack && (
          <Button
            size="compact-sm"
            variant="quiet"
            aria-label={t('review.putBackOne', { name: escapedText(change.label) })}
            onClick={onBack}
          >
            {t('review.putBack')}
          </Button>
        )}
      </td>
    </tr>
  );
};

const Table = ({ changes, save }: { changes: readonly Since[]; save: Save | null }) => {
  const [refused, setRefused] = useState<string | null>(null);
  const putBack = ({ back }: Since) =>
    back &&
    save &&
    (() => {
      save(back).then(
        () => setRefused(null),
        (error: unknown) => setRefused(sentenceOf(error)),
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
            <Row key={change.field} change={change} onBack={putBack(change)} />
          ))}
        </tbody>
      </table>
    </>
  );
};

/** The changes since the listing was written, side by side; renders nothing without changes. C toggles it. */
export const SinceWritten = ({ listing, save }: { listing: Listing; save: Save | null }) => {
  const [open, setOpen] = useState(false);
  const id = useId();
  const written = useWritten(listing.listingId).data;
  const changes = written?.listing ? changesSince(written.listing, listing) : [];
  const some = changes.length > 0;
  useKeys({ c: () => setOpen(some && !open) });
  if (!some) return null;
  return (
    <section aria-label={t('review.changedSince', { count: changes.length })}>
      <ActButton
        act="since"
        size="compact-sm"
        aria-expanded={open}
        aria-controls={id}
        aria-keyshortcuts="C"
        onClick={() => setOpen(!open)}
      >
        {t('review.changedSince', { count: changes.length })}
      </ActButton>
      <div id={id}>{open && <Table changes={changes} save={save} />}</div>
    </section>
  );
};
