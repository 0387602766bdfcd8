import { useState } from 'react';
import type { Listing } from '../../../api/types.ts';
import { placeBlockers } from '../../../parts/blockers.ts';
import { currencyOf } from '../../../../../contract/index.ts';
import { useKeys } from '../../../parts/useKeys.ts';
import { CategoryField } from './CategoryField.tsx';
import { ConditionField } from './ConditionField.tsx';
import { DescriptionField } from './DescriptionField.tsx';
import { LiveEdit } from './LiveEdit.tsx';
import { PriceField } from './PriceField.tsx';
import { PublishBar } from './PublishBar.tsx';
import { SpecificsField } from './SpecificsField.tsx';
import { TextField } from './TextField.tsx';
import { TitleField } from './TitleField.tsx';
import { useSaveListing } from './useSaveListing.ts';
import { checkQuantity, checkWeight } from './checks.ts';
import { t } from '../../../i18n/t.ts';
import styles from './review.module.css';

const editable: readonly Listing['status'][] = ['draft', 'pending_review', 'failed'];
const titleId = 'review-title';

/** The listing to look over: what must be fixed, each field, and the way to publish. */
export const Review = ({ listing }: { listing: Listing }) => {
  const save = useSaveListing(listing.listingId);
  const { byField, top } = placeBlockers(listing.publishBlockers ?? []);
  const fixed = !editable.includes(listing.status);
  const currency = currencyOf(listing);
  const [wantsEdit, setEditing] = useState(false);
  const editing = wantsEdit && listing.status === 'published';
  useKeys({ e: () => document.getElementById(titleId)?.focus() });
  const asksWeight = byField.packageWeightGrams !== undefined || Boolean(listing.packageWeightGrams);
  return (
    <div className={styles.review}>
      <PublishBar listing={listing} problems={top} blocked={Object.keys(byField).length} />
      {listing.status === 'published' && (
        <LiveEdit listing={listing} currency={currency} editing={editing} onEditing={setEditing} />
      )}
      {!editing && (
        <>
          <TitleField id={titleId} saved={listing.title ?? ''} save={save} problems={byField.title} readOnly={fixed} />
          <div className={styles.pair}>
            <PriceField listing={listing} currency={currency} save={save} problems={byField.price} readOnly={fixed} />
            <TextField
              label={t('review.quantity')}
              numeric
              saved={String(listing.quantity ?? 1)}
              save={(text) => save({ quantity: Number(text) })}
              check={checkQuantity}
              problems={byField.quantity}
              readOnly={fixed}
            />
          </div>
        </>
      )}
      <ConditionField listing={listing} save={save} problems={byField.condition} readOnly={fixed} />
      {asksWeight && (
        <TextField
          label={t('review.weight')}
          numeric
          hint={() => t('review.inGrams')}
          saved={listing.packageWeightGrams ? String(listing.packageWeightGrams) : ''}
          save={(text) => save({ packageWeightGrams: Number(text) })}
          check={checkWeight}
          problems={byField.packageWeightGrams}
          readOnly={fixed}
        />
      )}
      <CategoryField listing={listing} save={save} problems={byField.categoryId} readOnly={fixed} />
      <SpecificsField listing={listing} save={save} problems={byField.itemSpecifics} readOnly={fixed} />
      <DescriptionField listing={listing} save={save} problems={byField.description} readOnly={fixed} />
    </div>
  );
};
