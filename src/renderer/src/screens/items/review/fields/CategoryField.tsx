import { useServiceQuery } from '../../../../api/useCall.ts';
import { type Listing, getErrorSentence } from '../../../../api/call.ts';
import { NativeSelect, TextInput } from '@mantine/core';
import { useId, useRef, useState } from 'react';
import { useCategoryConditions, useCategorySearch } from '../../../../api/queries.ts';
import { formatCondition } from '../../../../components/text/formatCondition.ts';
import { FieldFrame, useDraftField } from '../../../../components/fields/DraftField.tsx';
import type { SaveListing } from '../QueuedEdits.tsx';
import { t } from '../../../../i18n.ts';
import { useDebouncedValue } from '@mantine/hooks';
import { ErrorLine, ProblemLine } from '../../../../components/ScreenPage.tsx';
import { UntrustedText } from '../../../../components/text/UntrustedText.tsx';
import { createEscapeHandler } from '../../../../components/Keys.tsx';
import styles from '../review.module.css';

/** The API does not define these parts of a category, so an unknown part becomes empty. */
const parseNames = (value: unknown): readonly string[] =>
  Array.isArray(value) && value.every((name) => typeof name === 'string') ? value : [];

export type CategoryFacts = { required: readonly string[]; recommended: readonly string[] };
export const noCategoryFacts: CategoryFacts = { required: [], recommended: [] };

/** The result is cached, because the taxonomy has a daily limit. */
export const useCategoryFacts = ({ categoryId, marketplaceId }: Listing): CategoryFacts => {
  const { data } = useServiceQuery(
    ['taxonomy', 'category', categoryId, marketplaceId],
    'searchCategories',
    categoryId ? { query: { categoryId, marketplaceId: marketplaceId ?? undefined } } : null,
    {
      select: ({ categories }) => {
        const own = categories.find((one) => one.categoryId === categoryId);
        return own
          ? { required: parseNames(own['requiredSpecifics']), recommended: parseNames(own['recommendedSpecifics']) }
          : noCategoryFacts;
      },
    },
  );
  return data ?? noCategoryFacts;
};

type ConditionFieldProps = {
  listing: Listing;
  save: SaveListing;
  problems: readonly string[] | undefined;
};

const useConditionChoices = (listing: Listing): { value: string; label: string }[] => {
  const conditions =
    useCategoryConditions(listing.categoryId ?? null, listing.marketplaceId ?? null).data?.conditions ?? [];
  const choices = conditions.map(({ condition, name }) => ({
    value: condition,
    label: formatCondition(condition, name),
  }));
  const present = listing.condition ?? '';
  if (choices.some((choice) => choice.value === present)) return choices;
  return [
    { value: present, label: present === '' ? t('review.chooseCondition') : formatCondition(present) },
    ...choices,
  ];
};

export const ConditionField = ({ listing, save, problems = [] }: ConditionFieldProps) => {
  const id = useId();
  const choices = useConditionChoices(listing);
  const field = useDraftField({
    saved: listing.condition ?? '',
    save: (condition, onHeld) => save({ condition }, onHeld),
  });
  const all = field.problem === null ? problems : [field.problem, ...problems];
  return (
    <FieldFrame id={id} label={t('review.condition')} note={field.note} problems={all}>
      <NativeSelect
        id={id}
        data={choices}
        value={field.text}
        onChange={(event) => field.keep(event.currentTarget.value)}
        error={all.length > 0}
        aria-describedby={`${id}-problems`}
      />
    </FieldFrame>
  );
};

type CategoryFieldProps = {
  listing: Listing;
  save: SaveListing;
  problems: readonly string[] | undefined;
};

type CategoryChooserProps = { listing: Listing; onChoose: (categoryId: string) => void; onLeave: () => void };

/** The path includes the category itself. */
const formatCategoryPath = (category: { categoryName: string; path?: unknown }): string => {
  const path = parseNames(category.path);
  return path.length > 0 ? path.join(' > ') : category.categoryName;
};

const CategoryChooser = ({ listing, onChoose, onLeave }: CategoryChooserProps) => {
  const [text, setText] = useState('');
  // Debounced, because the taxonomy of the marketplace has a daily limit.
  const [asked] = useDebouncedValue(text, 400);
  const { data, error } = useCategorySearch(asked, listing.marketplaceId ?? null);
  return (
    <div className={styles.chooser} data-own-keys="Escape" onKeyDown={createEscapeHandler(onLeave)}>
      <TextInput
        aria-label={t('review.findCategory')}
        placeholder={t('review.findCategoryHint')}
        value={text}
        onChange={(event) => setText(event.currentTarget.value)}
        autoFocus
      />
      <ErrorLine error={error} />
      {data?.categories.length === 0 && <p className={styles.soft}>{t('review.noCategory')}</p>}
      <ul aria-label={t('review.categories')}>
        {data?.categories.slice(0, 12).map((category) => (
          <li key={category.categoryId}>
            <button type="button" onClick={() => onChoose(category.categoryId)}>
              <UntrustedText text={formatCategoryPath(category)} fold={160} />
            </button>
          </li>
        ))}
      </ul>
    </div>
  );
};

export const CategoryField = ({ listing, save, problems = [] }: CategoryFieldProps) => {
  const [choosing, setChoosing] = useState(false);
  const [refused, setRefused] = useState<string | null>(null);
  const button = useRef<HTMLButtonElement>(null);
  const closeChooser = (): void => {
    setChoosing(false);
    button.current?.focus();
  };
  const saveCategory = (categoryId: string) => {
    closeChooser();
    save({ categoryId }).then(
      () => setRefused(null),
      (error: unknown) => setRefused(getErrorSentence(error)),
    );
  };
  return (
    <section aria-label={t('review.category')}>
      <div className={styles.fieldLine}>
        <h3>{t('review.category')}</h3>
        <button
          ref={button}
          type="button"
          className={styles.inline}
          aria-expanded={choosing}
          onClick={() => setChoosing(!choosing)}
        >
          {choosing ? t('review.keepIt') : t('review.changeCategory')}
        </button>
      </div>
      <p>
        <UntrustedText text={listing.categoryName ?? listing.categoryId ?? t('review.noneYet')} fold={160} />
      </p>
      {[...problems, ...(refused === null ? [] : [refused])].map((problem) => (
        <ProblemLine key={problem}>{problem}</ProblemLine>
      ))}
      {choosing && <CategoryChooser listing={listing} onChoose={saveCategory} onLeave={closeChooser} />}
    </section>
  );
};
