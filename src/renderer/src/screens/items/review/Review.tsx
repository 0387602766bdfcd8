import { useState, useRef, type KeyboardEvent, type ReactNode } from 'react';
import { sentenceOf, type Listing } from '../../../api/call.ts';
import { ProblemLine } from '../../../components/Page.tsx';
import { lazyComponent } from '../../../components/lazyComponent.tsx';
import type { CompsOf } from './compStatistics.ts';
import { type Save, useHeldEdits, useSaveListing } from './HeldEdits.tsx';
import { t } from '../../../i18n.ts';
import { ListingTemplate } from '../BeginWith.tsx';
import styles from './review.module.css';
import { IconHourglass } from '@tabler/icons-react';
import { lockText } from '../../approvals/approvalText.ts';
import { useLock } from '../../approvals/useQuestions.ts';
import { placeBlockers, checkQuantity, checkWeight } from './fields/fieldProblems.ts';
import { currencyOf, editableStatuses } from '../../../../../contract/index.ts';
import { isEditing, useKeys } from '../../../components/Keys.tsx';
import { ActButton, useOffer } from '../../../components/acts/offeredActs.tsx';
import { CategoryField, ConditionField } from './fields/CategoryField.tsx';
import { DescriptionField } from './fields/DescriptionField.tsx';
import { LiveEdit } from './LiveEdit.tsx';
import { OffersField } from './fields/OffersField.tsx';
import { PriceField, TextField, TitleField } from './fields/TextField.tsx';
import { PublishFrame, wasLive } from './PublishFrame.tsx';
import { SinceWritten } from './SinceWritten.tsx';
import { SpecificsField } from './fields/SpecificsField.tsx';
import { regionName } from '../../../components/text/format.ts';

const Comps = lazyComponent(async () => (await import('./Comps.tsx')).Comps);

const ListingChannels = lazyComponent(
  async () => (await import('../../listings/channels/ListingChannels.tsx')).ListingChannels,
);
const Visibility = lazyComponent(async () => (await import('../../listings/channels/Upkeep.tsx')).Visibility);

export const SimilarItems = ({ listing, save }: { listing: Listing; save: Save | null }) => {
  const [of, setOf] = useState<CompsOf | null>(null);
  const [refused, setRefused] = useState<string | null>(null);
  const use = (price: number): void =>
    void save?.({ price }).then(
      () => setRefused(null),
      (error: unknown) => setRefused(sentenceOf(error)),
    );
  const ask = (): void =>
    setOf({
      q: listing.title ?? '',
      categoryId: listing.categoryId ?? undefined,
      marketplaceId: listing.marketplaceId ?? undefined,
    });
  return (
    <div>
      <ActButton
        act="similar"
        size="compact-sm"
        aria-expanded={of !== null}
        onClick={() => (of === null ? ask() : setOf(null))}
      >
        {t('review.comps.title')}
      </ActButton>
      {refused && <ProblemLine>{refused}</ProblemLine>}
      {of && <Comps of={of} listing={listing} onUse={save && use} />}
    </div>
  );
};

const AdaptForm = lazyComponent(async () => (await import('./fields/AdaptForm.tsx')).AdaptForm);

/** The site of the listing, and the form to adapt it to another site. */
export const AdaptField = ({ listing }: { listing: Listing }) => {
  const [open, setOpen] = useState(false);
  const button = useRef<HTMLButtonElement>(null);
  const close = (): void => {
    setOpen(false);
    button.current?.focus();
  };
  return (
    <section aria-label={t('review.adapt.site')}>
      <div className={styles.line}>
        <h3>{t('review.adapt.site')}</h3>
        <span />
        {listing.status === 'pending_review' && (
          <ActButton
            act="adapt"
            ref={button}
            size="compact-sm"
            variant="quiet"
            aria-expanded={open}
            onClick={() => setOpen(!open)}
          >
            {t('review.adapt.open')}
          </ActButton>
        )}
      </div>
      <p>{listing.marketplaceId ? regionName(listing.marketplaceId) : t('review.noneYet')}</p>
      {open && <AdaptForm listing={listing} onClose={close} />}
    </section>
  );
};

/** Why the listing is locked, and what happens to edits in the meantime. */
export const LockLine = ({ listingId }: { listingId: string }) => {
  const lock = useLock(listingId);
  if (lock === null) return null;
  return (
    <p role="status" className={styles.lock}>
      <IconHourglass size={16} aria-hidden />
      <span>
        <b>{lockText(lock)}.</b> {t('approvals.lock.kept')}
      </span>
    </p>
  );
};

const titleId = 'review-title';

/** Puts the caret at the end, because words are mostly added there. */
const editTitle = (): void => {
  const field = document.getElementById(titleId);
  field?.focus();
  if (field instanceof HTMLTextAreaElement) field.setSelectionRange(field.value.length, field.value.length);
};

/** Escape moves the focus from the field to the row of the item, so that the keys of the screen work again. */
const leaveField = ({ key, target }: KeyboardEvent): void => {
  if (key !== 'Escape' || !(target instanceof HTMLElement) || !isEditing(target)) return;
  target.blur();
  document.querySelector<HTMLElement>('[data-item][aria-current]')?.focus();
};

type FieldsProps = { listing: Listing; fixed: boolean; editing: boolean };

const Price = ({ listing, fixed }: { listing: Listing; fixed: boolean }) => {
  const save = useSaveListing(listing.listingId);
  const { byField } = placeBlockers(listing.publishBlockers ?? []);
  return (
    <div className={styles.pair}>
      <PriceField
        listing={listing}
        currency={currencyOf(listing)}
        save={save}
        problems={byField.price}
        readOnly={fixed}
      />
      <TextField
        label={t('review.quantity')}
        numeric
        saved={String(listing.quantity ?? 1)}
        save={(text, onHeld) => save({ quantity: Number(text) }, onHeld)}
        check={checkQuantity}
        problems={byField.quantity}
        readOnly={fixed}
      />
    </div>
  );
};

const Fields = ({ listing, fixed, editing }: FieldsProps) => {
  const save = useSaveListing(listing.listingId);
  const { byField } = placeBlockers(listing.publishBlockers ?? []);
  const asksWeight = byField.packageWeightGrams !== undefined || Boolean(listing.packageWeightGrams);
  const given = { listing, save, readOnly: fixed };
  return (
    <>
      {!editing && (
        <>
          <TitleField id={titleId} saved={listing.title ?? ''} save={save} problems={byField.title} readOnly={fixed} />
          <Price listing={listing} fixed={fixed} />
        </>
      )}
      <ConditionField {...given} problems={byField.condition} />
      {(!fixed || listing.conditionDescription) && (
        <TextField
          label={t('review.conditionNote')}
          saved={listing.conditionDescription ?? ''}
          save={(conditionDescription, onHeld) => save({ conditionDescription }, onHeld)}
          problems={byField.conditionDescription}
          readOnly={fixed}
        />
      )}
      {asksWeight && (
        <TextField
          label={t('review.weight')}
          numeric
          hint={() => t('review.inGrams')}
          saved={listing.packageWeightGrams ? String(listing.packageWeightGrams) : ''}
          save={(text, onHeld) => save({ packageWeightGrams: Number(text) }, onHeld)}
          check={checkWeight}
          problems={byField.packageWeightGrams}
          readOnly={fixed}
        />
      )}
      {wasLive(listing) && <ListingChannels listing={listing} />}
      <SimilarItems listing={listing} save={fixed ? null : save} />
      <OffersField listing={listing} problems={byField.bestOffer} />
      <CategoryField {...given} problems={byField.categoryId} />
      <SpecificsField {...given} problems={byField.itemSpecifics} />
      <DescriptionField {...given} problems={byField.description} />
      <AdaptField listing={listing} />
      <ListingTemplate listing={listing} />
    </>
  );
};

type Props = {
  listing: Listing;
  /** Opens the next item to review; null if there is none. */
  onNext?: (() => void) | null;
  /** The button that marks the listing as checked, if it is part of a list to review. */
  look?: ReactNode;
};

/** The review of a listing: problems, changes since it was written, all fields, and the publish action. */
export const Review = ({ listing: given, onNext = null, look = null }: Props) => {
  const held = useHeldEdits(given.listingId);
  // Show queued edits also after the person returns from another screen.
  const listing = held ? { ...given, ...held } : given;
  const save = useSaveListing(listing.listingId);
  const { byField, top } = placeBlockers(listing.publishBlockers ?? []);
  const fixed = !editableStatuses.includes(listing.status);
  const [wantsEdit, setEditing] = useState(false);
  const editButton = useRef<HTMLButtonElement>(null);
  const closeEdit = (): void => {
    setEditing(false);
    editButton.current?.focus();
  };
  const editing = wantsEdit && listing.status === 'published';
  useKeys({ e: editTitle });
  useOffer(fixed ? null : { act: 'editTitle', name: t('app.keys.edit'), run: editTitle });
  if (listing.status === 'processing')
    return (
      <p className={styles.writing} role="status">
        {t('review.writing')}
      </p>
    );
  return (
    <div className={styles.review} data-fixed={fixed || undefined} onKeyDown={leaveField}>
      <LockLine listingId={listing.listingId} />
      <PublishFrame
        listing={listing}
        problems={top}
        blocked={Object.keys(byField).length}
        onNext={onNext}
        look={look}
        edit={{ isOpen: editing, turn: () => setEditing(!editing), button: editButton }}
      >
        {editing && <LiveEdit listing={listing} currency={currencyOf(listing)} onClose={closeEdit} />}
        <SinceWritten listing={listing} save={fixed ? null : save} />
        <Fields listing={listing} fixed={fixed} editing={editing} />
        {listing.status === 'pending_review' && <ListingChannels listing={listing} />}
        {listing.status !== 'draft' && <Visibility listing={listing} />}
      </PublishFrame>
    </div>
  );
};
