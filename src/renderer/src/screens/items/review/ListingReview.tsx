import { useDeferredValue, useState, useRef, type KeyboardEvent, type ReactNode } from 'react';
import { getErrorSentence, type Listing } from '../../../api/call.ts';
import { ProblemLine } from '../../../components/ScreenPage.tsx';
import { createLazyComponent } from '../../../components/createLazyComponent.tsx';
import type { ComparisonQuery } from './compStatistics.ts';
import { type SaveListing, useQueuedEdits, useSaveListing } from './QueuedEdits.tsx';
import { t } from '../../../i18n.ts';
import { ListingTemplateLine } from '../TemplateSelect.tsx';
import styles from './review.module.css';
import { IconChevronRight, IconHourglass } from '@tabler/icons-react';
import { formatListingLock } from '../../approvals/approvalText.ts';
import { useListingLock } from '../../approvals/usePrompts.ts';
import { groupBlockersByField, findQuantityProblem } from './fields/fieldProblems.ts';
import { findListingCurrency, editableStatuses } from '../../../../../contract/index.ts';
import { isEditingField, useScreenKeys } from '../../../components/Keys.tsx';
import { ActionButton, useOfferedAction } from '../../../components/acts/offeredActs.tsx';
import { CategoryField, ConditionField } from './fields/CategoryField.tsx';
import { DescriptionField } from './fields/DescriptionField.tsx';
import { LiveEdit } from './LiveEdit.tsx';
import { PackedWeightField } from './fields/PackedWeightField.tsx';
import { OffersField } from './fields/OffersField.tsx';
import { PriceField, TextField, ListingTitleField } from './fields/TextField.tsx';
import { PublishFrame } from './PublishFrame.tsx';
import { ListingFacts } from '../../listings/ListingFacts.tsx';
import { OldTitleOffer, rememberEarlierTitle } from './OldTitleOffer.tsx';
import { ChangesSinceWritten } from './ChangesSinceWritten.tsx';
import { ShelfSection } from './ShelfSection.tsx';
import { SpecificsField } from './fields/SpecificsField.tsx';
import { getSiteCountryName } from '../../../components/text/format.ts';

const Comps = createLazyComponent(async () => (await import('./ComparablePrices.tsx')).ComparablePrices);

const ListingChannels = createLazyComponent(
  async () => (await import('../../listings/channels/ListingChannels.tsx')).ListingChannelsSection,
);
const Visibility = createLazyComponent(
  async () => (await import('../../listings/channels/ListingVisibilitySection.tsx')).ListingVisibilitySection,
);

export const SimilarItemsPanel = ({ listing, save }: { listing: Listing; save: SaveListing | null }) => {
  const [of, setOf] = useState<ComparisonQuery | null>(null);
  const [refused, setRefused] = useState<string | null>(null);
  const applySuggestedPrice = (price: number): void =>
    void save?.({ price }).then(
      () => setRefused(null),
      (error: unknown) => setRefused(getErrorSentence(error)),
    );
  const openComparison = (): void =>
    setOf({
      q: listing.title ?? '',
      categoryId: listing.categoryId ?? undefined,
      marketplaceId: listing.marketplaceId ?? undefined,
    });
  useOfferedAction({
    act: 'similar',
    name: t('review.comps.title'),
    run: () => (of === null ? openComparison() : setOf(null)),
  });
  return (
    <div>
      <button
        type="button"
        className={styles.disclosure}
        aria-expanded={of !== null}
        onClick={() => (of === null ? openComparison() : setOf(null))}
      >
        <IconChevronRight size={14} aria-hidden />
        {t('review.comps.title')}
      </button>
      {refused && <ProblemLine>{refused}</ProblemLine>}
      {of && <Comps of={of} listing={listing} onUse={save && applySuggestedPrice} />}
    </div>
  );
};

const AdaptForm = createLazyComponent(async () => (await import('./fields/AdaptForm.tsx')).AdaptForm);

export const AdaptSiteField = ({ listing }: { listing: Listing }) => {
  const [open, setOpen] = useState(false);
  const button = useRef<HTMLButtonElement>(null);
  const closeAdaptForm = (): void => {
    setOpen(false);
    button.current?.focus();
  };
  return (
    <section aria-label={t('review.adapt.site')}>
      <div className={styles.line}>
        <h3>{t('review.adapt.site')}</h3>
        <span />
        {listing.status === 'pending_review' && (
          <ActionButton
            act="adapt"
            ref={button}
            size="compact-sm"
            variant="quiet"
            aria-expanded={open}
            onClick={() => setOpen(!open)}
          >
            {t('review.adapt.open')}
          </ActionButton>
        )}
      </div>
      <p>{listing.marketplaceId ? getSiteCountryName(listing.marketplaceId) : t('review.noneYet')}</p>
      {open && <AdaptForm listing={listing} onClose={closeAdaptForm} />}
    </section>
  );
};

export const ListingLockNotice = ({ listingId }: { listingId: string }) => {
  const lock = useListingLock(listingId);
  if (lock === null) return null;
  return (
    <p role="status" className={styles.lock}>
      <IconHourglass size={16} aria-hidden />
      <span>
        <b>{formatListingLock(lock)}.</b> {t('approvals.lock.kept')}
      </span>
    </p>
  );
};

const titleId = 'review-title';

/** Puts the caret at the end, because the person mostly adds words there. */
const focusTitleField = (): void => {
  const field = document.getElementById(titleId);
  field?.focus();
  if (field instanceof HTMLTextAreaElement) field.setSelectionRange(field.value.length, field.value.length);
};

/** Escape focuses the row of the item, so that the keys of the screen work again. */
const leaveFieldOnEscape = ({ key, target }: KeyboardEvent): void => {
  if (key !== 'Escape' || !(target instanceof HTMLElement) || !isEditingField(target)) return;
  target.blur();
  document.querySelector<HTMLElement>('[data-item][aria-current]')?.focus();
};

const ListingShelf = ({ listing }: { listing: Listing }) => (
  <ShelfSection target={{ listingId: listing.listingId }} currency={findListingCurrency(listing)} />
);

/** Until the parts are rendered, their space keeps what follows them below the window. */
const reservedSpace = { minBlockSize: '100vh' };

/**
 * Renders parts that are below the main fields. React renders them after the first paint and pauses for keys and frames,
 * so that a large review opens without a long frame.
 */
const RenderedLater = ({ children }: { children: ReactNode }) =>
  useDeferredValue(true, false) ? children : <div style={reservedSpace} aria-hidden data-rendered-later />;

/** What each field of a review needs: how it is saved, and the problems of each field. */
const useReviewFields = (listing: Listing) => {
  const save = useSaveListing(listing.listingId);
  const { byField } = groupBlockersByField(listing.publishBlockers ?? []);
  return { given: { listing, save }, save, byField };
};

/** A listing that was live is a sheet of facts. Its buttons change it. */
const FurtherListingFacts = ({ listing }: { listing: Listing }) => (
  <>
    <ListingShelf listing={listing} />
    <DescriptionField listing={listing} save={null} />
    <ListingChannels listing={listing} />
    <OffersField listing={listing} problems={undefined} />
    <ChangesSinceWritten listing={listing} save={null} />
    <SimilarItemsPanel listing={listing} save={null} />
  </>
);

const TitleOfListing = ({ listing }: { listing: Listing }) => {
  const { save: saveListing, byField } = useReviewFields(listing);
  const save: SaveListing = (changes, onHeld) => {
    rememberEarlierTitle(listing.listingId, listing.title);
    return saveListing(changes, onHeld);
  };
  return <ListingTitleField id={titleId} saved={listing.title ?? ''} save={save} problems={byField.title} />;
};

const PriceAndQuantityFields = ({ listing }: { listing: Listing }) => {
  const { save, byField } = useReviewFields(listing);
  return (
    <div className={styles.pair}>
      <PriceField listing={listing} currency={findListingCurrency(listing)} save={save} problems={byField.price} />
      <TextField
        label={t('review.quantity')}
        numeric
        saved={String(listing.quantity ?? 1)}
        save={(text, onHeld) => save({ quantity: Number(text) }, onHeld)}
        check={findQuantityProblem}
        problems={byField.quantity}
      />
    </div>
  );
};

const MainReviewFields = ({ listing }: { listing: Listing }) => {
  const { given, byField } = useReviewFields(listing);
  return (
    <>
      <PriceAndQuantityFields listing={listing} />
      <ListingShelf listing={listing} />
      <ConditionField {...given} problems={byField.condition} />
      <CategoryField {...given} problems={byField.categoryId} />
    </>
  );
};

/** What appears only after an edit is below the fields that the person edits most, so that these do not move. */
const FurtherReviewFields = ({ listing }: { listing: Listing }) => {
  const { given, save, byField } = useReviewFields(listing);
  return (
    <>
      <TextField
        label={t('review.conditionNote')}
        saved={listing.conditionDescription ?? ''}
        save={(conditionDescription, onHeld) => save({ conditionDescription }, onHeld)}
        problems={byField.conditionDescription}
      />
      <PackedWeightField {...given} problems={byField.packageWeightGrams} />
      <SimilarItemsPanel {...given} />
      <OffersField listing={listing} problems={byField.bestOffer} />
      <SpecificsField {...given} problems={byField.itemSpecifics} />
      <OldTitleOffer {...given} />
      <DescriptionField {...given} problems={byField.description} />
      <AdaptSiteField listing={listing} />
      <ListingTemplateLine listing={listing} />
      <ChangesSinceWritten {...given} />
    </>
  );
};

type Props = {
  listing: Listing;
  /** Null if there is no next item to review. */
  onNext?: (() => void) | null;
  /** The button that marks the listing as checked. */
  checkButton?: ReactNode;
  belowTitle?: ReactNode;
  /** Further entries of the menu beside the buttons. */
  menuItems?: ReactNode;
};

export const ListingReview = ({
  listing: given,
  onNext = null,
  checkButton = null,
  belowTitle = null,
  menuItems = null,
}: Props) => {
  const held = useQueuedEdits(given.listingId);
  // Queued edits stay visible after the person returns from another screen.
  const listing = held ? { ...given, ...held } : given;
  const { byField, top } = groupBlockersByField(listing.publishBlockers ?? []);
  const fixed = !editableStatuses.includes(listing.status);
  const [wantsEdit, setEditing] = useState(false);
  const editButton = useRef<HTMLButtonElement>(null);
  const closeLiveEdit = (): void => {
    setEditing(false);
    editButton.current?.focus();
  };
  const editing = wantsEdit && listing.status === 'published';
  useScreenKeys({ e: focusTitleField });
  useOfferedAction(fixed ? null : { act: 'editTitle', name: t('app.keys.edit'), run: focusTitleField });
  if (listing.status === 'processing')
    return (
      <p className={styles.writing} role="status">
        {t('review.writing')}
      </p>
    );
  return (
    <div className={styles.review} onKeyDown={leaveFieldOnEscape}>
      {!fixed && <TitleOfListing listing={listing} />}
      {belowTitle}
      <ListingLockNotice listingId={listing.listingId} />
      <PublishFrame
        listing={listing}
        problems={top}
        blocked={Object.keys(byField).length}
        onNext={onNext}
        checkButton={checkButton}
        menuItems={menuItems}
        edit={{ isOpen: editing, toggle: () => setEditing(!editing), button: editButton }}
      >
        {editing && <LiveEdit listing={listing} currency={findListingCurrency(listing)} onClose={closeLiveEdit} />}
        {fixed ? <ListingFacts listing={listing} /> : <MainReviewFields listing={listing} />}
        <RenderedLater>
          {fixed ? <FurtherListingFacts listing={listing} /> : <FurtherReviewFields listing={listing} />}
          {listing.status === 'pending_review' && <ListingChannels listing={listing} />}
          {listing.status !== 'draft' && <Visibility listing={listing} />}
        </RenderedLater>
      </PublishFrame>
    </div>
  );
};
