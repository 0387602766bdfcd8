import { Button } from '@mantine/core';
import { IconPlus } from '@tabler/icons-react';
import { ProblemLine } from '../../../parts/ProblemLine.tsx';
import { plainly } from '../../../parts/untrustedText.ts';
import type { Listing } from '../../../api/types.ts';
import { useCategoryFacts } from './categoryFacts.ts';
import { SpecificRow } from './SpecificRow.tsx';
import { blockersByName } from './specifics.ts';
import { useSpecifics } from './useSpecifics.ts';
import type { Save } from './useSaveListing.ts';
import { t } from '../../../i18n/t.ts';
import styles from './review.module.css';

type Props = { listing: Listing; save: Save; problems: readonly string[] | undefined; readOnly: boolean };

/** Names that sellers of this category often give and this listing does not have yet. */
const Often = ({ names, onAdd }: { names: readonly string[]; onAdd: (name: string) => void }) =>
  names.length === 0 ? null : (
    <div className={styles.often}>
      <span className={styles.soft}>{t('review.often')}</span>
      {names.map((name) => (
        <Button
          key={name}
          size="compact-sm"
          leftSection={<IconPlus size={14} aria-hidden />}
          aria-label={t('review.addOne', { name: plainly(name) })}
          onClick={() => onAdd(name)}
        >
          {plainly(name)}
        </Button>
      ))}
    </div>
  );

/** What the marketplace asks about the thing: first what its category requires, then the rest, then what others often say. */
export const SpecificsField = ({ listing, save, problems = [], readOnly }: Props) => {
  const facts = useCategoryFacts(listing);
  const blocked = blockersByName(listing.publishBlockers ?? []);
  // A blocker names what is required in the listing's own language, also where the category does not say.
  const required = [...new Set([...facts.required, ...blocked.keys()])];
  const specifics = useSpecifics({
    saved: listing.itemSpecifics ?? {},
    required,
    save: (itemSpecifics, onHeld) => save({ itemSpecifics }, onHeld),
  });
  const others = problems.filter((problem) => ![...blocked.values()].includes(problem));
  const has = (name: string): boolean => specifics.rows.some((row) => row.name.trim() === name);
  return (
    <section aria-label={t('review.specifics')}>
      <div className={styles.line}>
        <h3>{t('review.specifics')}</h3>
        <span className={styles.soft} aria-live="polite">
          {specifics.note}
        </span>
        {!readOnly && (
          <Button
            size="compact-sm"
            variant="quiet"
            leftSection={<IconPlus size={14} aria-hidden />}
            onClick={() => specifics.add()}
          >
            {t('review.add')}
          </Button>
        )}
      </div>
      {[...(specifics.problem === null ? [] : [specifics.problem]), ...others].map((problem) => (
        <ProblemLine key={problem}>{problem}</ProblemLine>
      ))}
      <ul className={styles.specifics}>
        {specifics.rows
          .filter(({ value }) => !readOnly || value !== '')
          .map((row) => (
            <SpecificRow
              key={row.required ? row.name : row.key}
              row={row}
              problem={blocked.get(row.name.trim())}
              readOnly={readOnly}
              onType={specifics.type}
              onKeep={() => specifics.keep()}
              onRemove={() => void specifics.remove(row.key)}
            />
          ))}
      </ul>
      {!readOnly && <Often names={facts.recommended.filter((name) => !has(name))} onAdd={specifics.add} />}
    </section>
  );
};
