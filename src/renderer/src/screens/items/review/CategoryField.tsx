import { Button, TextInput } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { useRef, useState } from 'react';
import { sentenceOf } from '../../../api/callError.ts';
import { useCategories } from '../../../api/queries.ts';
import { ProblemLine } from '../../../parts/ProblemLine.tsx';
import { UntrustedText } from '../../../parts/UntrustedText.tsx';
import type { Listing } from '../../../api/types.ts';
import { onEscape } from './onEscape.ts';
import { pathOf } from './categoryFacts.ts';
import type { Save } from './useSaveListing.ts';
import { t } from '../../../i18n/t.ts';
import styles from './review.module.css';

type Props = { listing: Listing; save: Save; problems: readonly string[] | undefined; readOnly: boolean };

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
export const CategoryField = ({ listing, save, problems = [], readOnly }: Props) => {
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
