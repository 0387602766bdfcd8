import { NativeSelect, Button, TextInput } from '@mantine/core';
import { useId, useRef, useState } from 'react';
import { useConditions, useCategories } from '../../../../api/queries.ts';
import { conditionWords } from '../../../../components/text/format.ts';
import { FieldFrame, useDraftField } from '../../../../components/DraftField.tsx';
import type { Listing } from '../../../../api/types.ts';
import type { Save } from '../useSaveListing.ts';
import { t } from '../../../../i18n/t.ts';
import { useDebouncedValue } from '@mantine/hooks';
import { sentenceOf } from '../../../../api/call.ts';
import { ProblemLine } from '../../../../components/ProblemLine.tsx';
import { UntrustedText } from '../../../../components/text/UntrustedText.tsx';
import { onEscape } from '../../../../components/useKeys.ts';
import { pathOf } from './categoryFacts.ts';
import styles from '../review.module.css';

type ConditionFieldProps = { listing: Listing; save: Save; problems: readonly string[] | undefined; readOnly: boolean };

/** The conditions that the category accepts; the present one stays even when they cannot be read. */
const useChoices = (listing: Listing): { value: string; label: string }[] => {
  const conditions = useConditions(listing.categoryId ?? null, listing.marketplaceId ?? null).data?.conditions ?? [];
  const choices = conditions.map(({ condition, name }) => ({
    value: condition,
    label: name ?? conditionWords(condition),
  }));
  const present = listing.condition ?? '';
  if (choices.some((choice) => choice.value === present)) return choices;
  return [
    { value: present, label: present === '' ? t('review.chooseCondition') : conditionWords(present) },
    ...choices,
  ];
};

/** In what state the thing is; kept as soon as it is chosen. */
export const ConditionField = ({ listing, save, problems = [], readOnly }: ConditionFieldProps) => {
  const id = useId();
  const choices = useChoices(listing);
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
        disabled={readOnly}
        onChange={(event) => field.keep(event.currentTarget.value)}
        error={all.length > 0}
        aria-describedby={`${id}-problems`}
      />
    </FieldFrame>
  );
};

type CategoryFieldProps = { listing: Listing; save: Save; problems: readonly string[] | undefined; readOnly: boolean };

type ChooserProps = { listing: Listing; onChoose: (categoryId: string) => void; onLeave: () => void };

/** Groups as far as they are told, then the category itself. */
const wholeName = (category: { categoryName: string }): string => {
  const path = pathOf(category);
  return path.length > 0 ? path.join(' > ') : category.categoryName;
};

const Chooser = ({ listing, onChoose, onLeave }: ChooserProps) => {
  const [text, setText] = useState('');
  // Taxonomy has a daily budget at the marketplace: ask when the typing pauses.
  const [asked] = useDebouncedValue(text, 400);
  const { data, error } = useCategories(asked, listing.marketplaceId ?? null);
  return (
    <div className={styles.chooser} data-own-keys="Escape" onKeyDown={onEscape(onLeave)}>
      <TextInput
        aria-label={t('review.findCategory')}
        placeholder={t('review.findCategoryHint')}
        value={text}
        onChange={(event) => setText(event.currentTarget.value)}
        autoFocus
      />
      {error && <ProblemLine>{sentenceOf(error)}</ProblemLine>}
      {data?.categories.length === 0 && <p className={styles.soft}>{t('review.noCategory')}</p>}
      <ul aria-label={t('review.categories')}>
        {data?.categories.slice(0, 12).map((category) => (
          <li key={category.categoryId}>
            <button type="button" onClick={() => onChoose(category.categoryId)}>
              <UntrustedText text={wholeName(category)} fold={160} />
            </button>
          </li>
        ))}
      </ul>
    </div>
  );
};

/** Where the marketplace files it. */
export const CategoryField = ({ listing, save, problems = [], readOnly }: CategoryFieldProps) => {
  const [choosing, setChoosing] = useState(false);
  const [refused, setRefused] = useState<string | null>(null);
  const button = useRef<HTMLButtonElement>(null);
  const leave = (): void => {
    setChoosing(false);
    button.current?.focus();
  };
  const choose = (categoryId: string) => {
    leave();
    save({ categoryId }).then(
      () => setRefused(null),
      (error: unknown) => setRefused(sentenceOf(error)),
    );
  };
  return (
    <section aria-label={t('review.category')}>
      <div className={styles.line}>
        <h3>{t('review.category')}</h3>
        <span />
        {!readOnly && (
          <Button
            ref={button}
            size="compact-sm"
            variant="quiet"
            aria-expanded={choosing}
            onClick={() => setChoosing(!choosing)}
          >
            {choosing ? t('review.keepIt') : t('review.changeCategory')}
          </Button>
        )}
      </div>
      <p>
        <UntrustedText text={listing.categoryName ?? listing.categoryId ?? t('review.noneYet')} fold={160} />
      </p>
      {[...problems, ...(refused === null ? [] : [refused])].map((problem) => (
        <ProblemLine key={problem}>{problem}</ProblemLine>
      ))}
      {choosing && <Chooser listing={listing} onChoose={choose} onLeave={leave} />}
    </section>
  );
};
