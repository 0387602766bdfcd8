import { Button, NativeSelect, TextInput } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { useState, type FocusEvent } from 'react';
import { useCategorySearch } from '../../../api/queries.ts';
import { findKnownWord } from '../../../api/unknownRecord.ts';
import { MoneyInputField } from '../../../components/fields/MoneyInput.tsx';
import { ErrorLine, ProblemLine } from '../../../components/ScreenPage.tsx';
import { UntrustedText } from '../../../components/text/UntrustedText.tsx';
import {
  formatCentsInput,
  parseAmbiguousAmounts,
  formatPercent,
  findMoneyProblem,
  parseCentsInput,
} from '../../../components/text/format.ts';
import { t } from '../../../i18n.ts';
import { type WeightUnits } from '../../../../../i18n/weights.ts';
import { findWeightProblem, formatWeightUnits } from '../../../components/text/packedWeight.ts';
import { findQuantityProblem } from '../../items/review/fields/fieldProblems.ts';
import styles from './bulk.module.css';
import type { BulkTarget } from './bulkChanges.ts';
import { findOfferProblem, textPlacements, type BulkDraft, type Medians } from './bulkDraft.ts';
import { priceEndings, priceMethods, hasTypedInput, type PriceMethod } from './priceRules.ts';

type BulkFieldsProps = {
  draft: BulkDraft;
  set: (changes: Partial<BulkDraft>) => void;
  targets: readonly BulkTarget[];
  medians: Medians;
  conditions: readonly { value: string; label: string }[];
  site: string | null;
  units: WeightUnits;
};

const labels = {
  percent: 'listings.bulk.percentValue',
  amount: 'listings.bulk.amountValue',
  set: 'listings.bulk.setValue',
} as const;

const findInputProblem = (how: 'percent' | 'amount' | 'set', typed: string): string | null => {
  const cents = parseCentsInput(typed);
  if (cents !== null && (how !== 'set' || cents > 0)) return null;
  const isUnread = how === 'percent' || (cents === null && parseAmbiguousAmounts(typed) === null);
  const unread = t('listings.bulk.wrong', { example: how === 'percent' ? '-10' : formatCentsInput(250) });
  return (isUnread ? null : findMoneyProblem(typed)) ?? unread;
};

const commonPercents = [-5, -10, -20, 10];

const PriceAmountInput = ({
  how,
  typed,
  onType,
}: {
  how: keyof typeof labels;
  typed: string;
  onType: (text: string) => void;
}) => {
  const shared = {
    label: t(labels[how]),
    'data-autofocus': true,
    value: typed,
    error: typed === '' ? null : findInputProblem(how, typed),
    // Selects the value, so that typing replaces it.
    onFocus: (event: FocusEvent<HTMLInputElement>) => event.currentTarget.select(),
  };
  if (how !== 'percent') return <MoneyInputField {...shared} onChange={onType} />;
  return (
    <div>
      <TextInput {...shared} inputMode="decimal" onChange={(event) => onType(event.currentTarget.value)} />
      <div className={styles.picks}>
        {commonPercents.map((percent) => (
          <Button key={percent} size="compact-sm" variant="quiet" onClick={() => onType(String(percent))}>
            {formatPercent(percent)}
          </Button>
        ))}
      </div>
    </div>
  );
};

const MedianLookUp = ({ targets, medians }: Pick<BulkFieldsProps, 'targets' | 'medians'>) => {
  const missing = targets.filter(({ row }) => !medians.medians.has(row.listingId));
  return (
    <div>
      {missing.length > 0 && (
        <Button loading={medians.busy} onClick={() => medians.lookUp(missing)}>
          {t('listings.bulk.lookUp', { count: missing.length })}
        </Button>
      )}
      <p className={styles.soft}>{t('listings.bulk.lookUpHint')}</p>
      {medians.problem !== null && <ProblemLine>{medians.problem}</ProblemLine>}
    </div>
  );
};

const PriceRuleFields = ({ draft, set, targets, medians }: BulkFieldsProps) => (
  <>
    <NativeSelect
      label={t('listings.bulk.how')}
      value={draft.how}
      onChange={(event) =>
        set({ how: findKnownWord<PriceMethod>(priceMethods, event.currentTarget.value) ?? draft.how })
      }
      data={priceMethods.map((value) => ({ value, label: t(`listings.bulk.${value}`) }))}
    />
    {hasTypedInput(draft.how) && (
      <PriceAmountInput how={draft.how} typed={draft.typed} onType={(typed) => set({ typed })} />
    )}
    {draft.how === 'median' && <MedianLookUp targets={targets} medians={medians} />}
    {draft.how !== 'set' && (
      <NativeSelect
        label={t('listings.bulk.endingLabel')}
        value={draft.ending}
        onChange={(event) => set({ ending: findKnownWord(priceEndings, event.currentTarget.value) ?? '' })}
        data={priceEndings.map((value) => ({
          value,
          label: value === '' ? t('listings.bulk.noEnding') : formatCentsInput(Number(value)).slice(1),
        }))}
      />
    )}
  </>
);

const BulkWeightField = ({ draft, set, units }: BulkFieldsProps) => (
  <TextInput
    label={t('listings.bulk.to.packageWeightGrams')}
    description={formatWeightUnits(units)}
    maxLength={200}
    data-autofocus
    value={draft.value}
    error={draft.value === '' ? null : findWeightProblem(draft.value, units)}
    onChange={(event) => set({ value: event.currentTarget.value })}
  />
);

const PlainValueField = ({ draft, set }: BulkFieldsProps) => {
  const name = draft.field === 'quantity' ? draft.field : 'sku';
  return (
    <TextInput
      label={t(`listings.bulk.to.${name}`)}
      inputMode={name === 'sku' ? 'text' : 'numeric'}
      maxLength={200}
      data-autofocus
      value={draft.value}
      error={name === 'quantity' && draft.value !== '' ? findQuantityProblem(draft.value) : null}
      onChange={(event) => set({ value: event.currentTarget.value })}
    />
  );
};

const BulkConditionField = ({ draft, set, conditions }: BulkFieldsProps) => (
  <NativeSelect
    label={t('listings.bulk.to.condition')}
    value={draft.condition}
    onChange={(event) => set({ condition: event.currentTarget.value })}
    data={[{ value: '', label: t('review.chooseCondition') }, ...conditions]}
  />
);

const BulkCategoryField = ({ draft, set, site }: BulkFieldsProps) => {
  const [text, setText] = useState('');
  // Debounced, because the marketplace limits taxonomy requests per day.
  const [asked] = useDebouncedValue(text, 400);
  const { data, error } = useCategorySearch(asked, site);
  return (
    <>
      <TextInput
        label={t('listings.bulk.to.categoryId')}
        placeholder={t('review.findCategoryHint')}
        data-autofocus
        value={text}
        onChange={(event) => setText(event.currentTarget.value)}
      />
      {draft.category && <UntrustedText text={draft.category.name} fold={120} flag={false} />}
      <ErrorLine error={error} />
      {data && (
        <ul className={styles.choices} aria-label={t('review.categories')}>
          {data.categories.slice(0, 12).map(({ categoryId, categoryName: name }) => (
            <li key={categoryId}>
              <button
                type="button"
                aria-pressed={draft.category?.categoryId === categoryId}
                onClick={() => set({ category: { categoryId, name } })}
              >
                <UntrustedText text={name} fold={120} flag={false} />
              </button>
            </li>
          ))}
        </ul>
      )}
    </>
  );
};

const ItemSpecificFields = ({ draft, set }: BulkFieldsProps) => (
  <>
    <TextInput
      label={t('listings.bulk.specificName')}
      data-autofocus
      value={draft.name}
      onChange={(event) => set({ name: event.currentTarget.value })}
    />
    <TextInput
      label={t('listings.bulk.specificValue')}
      description={t('listings.bulk.specificHint')}
      value={draft.value}
      onChange={(event) => set({ value: event.currentTarget.value })}
    />
  </>
);

const TextChangeFields = ({ draft, set }: BulkFieldsProps) => (
  <>
    <NativeSelect
      label={t('listings.bulk.how')}
      value={draft.textHow}
      onChange={(event) => set({ textHow: findKnownWord(textPlacements, event.currentTarget.value) ?? draft.textHow })}
      data={textPlacements.map((value) => ({ value, label: t(`listings.bulk.text.${value}`) }))}
    />
    <TextInput
      label={t(draft.textHow === 'replace' ? 'listings.bulk.find' : 'listings.bulk.words')}
      data-autofocus
      value={draft.text}
      onChange={(event) => set({ text: event.currentTarget.value })}
    />
    {draft.textHow === 'replace' && (
      <TextInput
        label={t('listings.bulk.replaceBy')}
        value={draft.by}
        onChange={(event) => set({ by: event.currentTarget.value })}
      />
    )}
  </>
);

const BulkOfferFields = ({ draft, set }: BulkFieldsProps) => (
  <>
    <NativeSelect
      label={t('listings.bulk.how')}
      value={draft.offers === null ? '' : draft.offers ? 'on' : 'off'}
      onChange={({ currentTarget: { value } }) => set({ offers: value === '' ? null : value === 'on' })}
      data={[
        { value: '', label: t('listings.bulk.chooseOffers') },
        { value: 'on', label: t('listings.bulk.takeOffers') },
        { value: 'off', label: t('review.offers.off') },
      ]}
    />
    {draft.offers &&
      (['accept', 'decline'] as const).map((name) => (
        <TextInput
          key={name}
          label={t(`listings.bulk.${name}Percent`)}
          description={t(`review.offers.${name}Help`)}
          error={findOfferProblem(name, draft)}
          inputMode="decimal"
          value={draft[name]}
          onChange={(event) => set({ [name]: event.currentTarget.value })}
        />
      ))}
  </>
);

export const BulkFieldInputs = (props: BulkFieldsProps) => {
  switch (props.draft.field) {
    case 'price':
      return <PriceRuleFields {...props} />;
    case 'condition':
      return <BulkConditionField {...props} />;
    case 'categoryId':
      return <BulkCategoryField {...props} />;
    case 'itemSpecifics':
      return <ItemSpecificFields {...props} />;
    case 'title':
    case 'description':
      return <TextChangeFields {...props} />;
    case 'packageWeightGrams':
      return <BulkWeightField {...props} />;
    case 'bestOffer':
      return <BulkOfferFields {...props} />;
    default:
      return <PlainValueField {...props} />;
  }
};
