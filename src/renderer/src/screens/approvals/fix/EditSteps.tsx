import { Button, NativeSelect, TextInput } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useState, type FormEvent, type ReactNode } from 'react';
import type { ListingChanges } from '../../../../../contract/index.ts';
import { sentenceOf } from '../../../api/callError.ts';
import { useConditions, useListing } from '../../../api/queries.ts';
import { ProblemLine } from '../../../parts/ProblemLine.tsx';
import { conditionWords } from '../../../parts/conditionWords.ts';
import { checkWeight } from '../../items/review/checks.ts';
import { useSaveListing } from '../../items/review/useSaveListing.ts';
import { PublishAgain } from './PublishAgain.tsx';
import { t } from '../../../i18n/t.ts';
import styles from './fix.module.css';

type Changes = Omit<ListingChanges, 'bestOffer'>;
type FormProps = { listingId: string; changes: () => Changes | string; yes: string; children: ReactNode };

/** A field, a button that saves it, and then the publish again. */
const SaveForm = ({ listingId, changes, yes, children }: FormProps) => {
  const save = useSaveListing(listingId);
  const [wrong, setWrong] = useState<string | null>(null);
  const saving = useMutation({ mutationFn: (made: Changes) => save(made) });
  const onSubmit = (event: FormEvent): void => {
    event.preventDefault();
    const made = changes();
    setWrong(typeof made === 'string' ? made : null);
    if (typeof made !== 'string') saving.mutate(made);
  };
  const problem = wrong ?? (saving.error ? sentenceOf(saving.error) : null);
  return (
    <>
      <form className={styles.form} onSubmit={onSubmit}>
        {children}
        <Button type="submit" loading={saving.isPending}>
          {yes}
        </Button>
      </form>
      {problem && <ProblemLine>{problem}</ProblemLine>}
      {saving.isSuccess && (
        <div className={styles.saved} role="status">
          <span>{t('approvals.fix.saved')}</span>
          <PublishAgain listingId={listingId} />
        </div>
      )}
    </>
  );
};

/** The packed weight, in grams. */
export const WeightStep = ({ listingId }: { listingId: string }) => {
  const saved = useListing(listingId).data?.packageWeightGrams;
  const [text, setText] = useState<string | null>(null);
  const shown = text ?? (saved ? String(saved) : '');
  return (
    <SaveForm
      listingId={listingId}
      yes={t('approvals.fix.saveWeight')}
      changes={() => checkWeight(shown) ?? { packageWeightGrams: Number(shown) }}
    >
      <TextInput
        label={t('approvals.fix.weight')}
        inputMode="numeric"
        value={shown}
        onChange={(event) => setText(event.currentTarget.value)}
      />
    </SaveForm>
  );
};

/** A condition that the category takes. */
export const ConditionStep = ({ listingId }: { listingId: string }) => {
  const listing = useListing(listingId).data;
  const conditions = useConditions(listing?.categoryId ?? null, listing?.marketplaceId ?? null).data?.conditions ?? [];
  const [condition, setCondition] = useState('');
  return (
    <SaveForm
      listingId={listingId}
      yes={t('approvals.fix.saveCondition')}
      changes={() => (condition === '' ? t('approvals.fix.chooseConditionFirst') : { condition })}
    >
      <NativeSelect
        label={t('approvals.fix.condition')}
        value={condition}
        onChange={(event) => setCondition(event.currentTarget.value)}
        data={[
          { value: '', label: t('approvals.fix.chooseCondition') },
          ...conditions.map((one) => ({ value: one.condition, label: one.name ?? conditionWords(one.condition) })),
        ]}
      />
    </SaveForm>
  );
};
