import { findListingCurrency, findPublishFix } from '../../../../../contract/index.ts';
import { useItemOfListing } from '../../../api/itemQueries.ts';
import { useOriginalListing } from '../../../api/queries.ts';
import { CallError, getErrorSentence, type ApprovalView, type Listing } from '../../../api/call.ts';
import { Menu } from '@mantine/core';
import { useEffect, useRef, useState, type ReactNode, type RefObject } from 'react';
import { RetryCountdown, useRetryWait } from '../../../components/text/RelativeTime.tsx';
import { ProblemLine } from '../../../components/ScreenPage.tsx';
import { formatCents } from '../../../components/text/format.ts';
import { UntrustedText } from '../../../components/text/UntrustedText.tsx';
import { useScreenKeys, KeyCap } from '../../../components/Keys.tsx';
import { MoreMenu } from '../../../components/MoreMenu.tsx';
import { createLazyComponent } from '../../../components/createLazyComponent.tsx';
import { ActionButton, useOfferedAction } from '../../../components/acts/offeredActs.tsx';
import { listRoutesByAct } from '../../../../../contract/acts.ts';
import { isContradictedByListing, formatPromptPart } from '../../approvals/approvalText.ts';
import { publishRoutes } from '../../approvals/fix/useFixRequests.ts';
import { useLastListingApproval, useListingLock } from '../../approvals/usePrompts.ts';
import { useListingRequest, type ListingRequest } from './useListingRequest.ts';
import { focusInvalidField } from '../useItemKeys.ts';
import { isRunningStage } from '../photo/photoChangeStage.ts';
import { ListingPhotoButton } from '../arrange/ChangingPhotos.tsx';
import { t, translateMessage } from '../../../i18n.ts';
import styles from './review.module.css';
import { ExternalLink } from '../../../components/ExternalLink.tsx';
import { useListingChannels } from '../../listings/channels/useListingChannels.ts';
import { formatStatusWithTime, readStatusTimes } from '../../listings/listingStatus.ts';
import { SellAnotherButton } from '../../listings/SellAgainButtons.tsx';

/** Loaded separately, because most listings are never refused. */
const PublishFixSection = createLazyComponent(
  async () => (await import('../../approvals/fix/PublishFix.tsx')).PublishFixSection,
);

type LiveEditState = { isOpen: boolean; toggle: () => void; button: RefObject<HTMLButtonElement | null> };

type LiveListingHeaderProps = { listing: Listing; ask: ListingRequest; edit: LiveEditState; menuItems: ReactNode };

const OptionalMenu = ({ menuItems }: { menuItems: ReactNode }) => menuItems && <MoreMenu>{menuItems}</MoreMenu>;

const LiveListingActions = ({ listing, ask, edit }: Omit<LiveListingHeaderProps, 'menuItems'>) => {
  const locked = useListingLock(listing.listingId) !== null;
  const { isElsewhere } = useListingChannels(listing);
  return (
    <>
      <ActionButton act="editLive" ref={edit.button} aria-expanded={edit.isOpen} onClick={edit.toggle}>
        {t('review.editLive')}
      </ActionButton>
      {/* A listing on several channels is ended on each channel separately. */}
      {!isElsewhere && (
        <ActionButton act="end" disabled={locked || ask.isPending} onClick={() => ask.mutate('endListing')}>
          {t('items.end')}
        </ActionButton>
      )}
    </>
  );
};

const LiveListingHeader = ({ listing, ask, edit, menuItems }: LiveListingHeaderProps) => {
  const isLive = listing.status === 'published';
  const [now] = useState(() => Date.now());
  return (
    <div className={styles.live}>
      <p className={styles.sheetTitle}>
        <UntrustedText text={listing.title ?? t('listings.untitled')} fold={200} />
      </p>
      <div className={styles.stands}>
        {listing.price != null && (
          <b className={styles.price}>{formatCents(listing.price, findListingCurrency(listing))}</b>
        )}
        <p data-live={isLive || undefined}>{formatStatusWithTime(readStatusTimes(listing), now)}</p>
        {listing.marketListingUrl && (
          <ExternalLink
            withHost
            url={listing.marketListingUrl}
            offer={{ act: 'openListing', name: t('review.openListing') }}
          >
            {t('review.openListing')}
          </ExternalLink>
        )}
      </div>
      <div className={styles.publishLine}>
        {isLive && <LiveListingActions listing={listing} ask={ask} edit={edit} />}
        {listing.status === 'ended' && (
          <ActionButton act="bringBack" loading={ask.isPending} onClick={() => ask.mutate('relistListing')}>
            {t('items.relist')}
          </ActionButton>
        )}
        <SellAnotherButton of={listing} variant={listing.status === 'sold' ? 'default' : 'quiet'} />
        <OptionalMenu menuItems={menuItems} />
      </div>
      {isLive && !edit.isOpen && <p className={styles.soft}>{t('review.editLiveHint')}</p>}
    </div>
  );
};

const useLastRefusedPublish = (listingId: string): ApprovalView | null => {
  const last = useLastListingApproval(listingId, publishRoutes);
  return last?.state === 'failed' && findPublishFix(last.outcome?.code) ? last : null;
};

type OnNext = (() => void) | null;

const hintId = 'publish-hint';

const routesOnListing = listRoutesByAct('publish', 'revise', 'end', 'delete');

const ContradictedOutcomeNotice = ({ listingId }: { listingId: string }) => {
  const last = useLastListingApproval(listingId, routesOnListing);
  return last?.outcome && isContradictedByListing(last) ? (
    <ProblemLine>
      <b>{formatPromptPart(last.prompt, 'act')}:</b> {translateMessage(last.outcome.says, last.outcome.sentence)}
    </ProblemLine>
  ) : null;
};

const PublishRefusalSection = ({
  listing: { listingId },
  error,
  left,
}: {
  listing: Listing;
  error: unknown;
  left: number;
}) => {
  const last = useLastRefusedPublish(listingId);
  if (error instanceof CallError && findPublishFix(error.code))
    return <PublishFixSection key={error.code} listingId={listingId} code={error.code} sentence={error.message} />;
  if (error)
    return (
      <ProblemLine>
        {getErrorSentence(error)} <RetryCountdown left={left} />
      </ProblemLine>
    );
  return last ? (
    <PublishFixSection
      key={last.approvalId}
      listingId={listingId}
      code={last.outcome?.code}
      sentence={last.outcome?.sentence ?? null}
      since={last.decidedAt}
    />
  ) : null;
};

type FailedPublishSectionProps = { listing: Listing; ask: ListingRequest; menuItems: ReactNode };

const FailedPublishSection = ({ listing, ask, menuItems }: FailedPublishSectionProps) => (
  <div className={styles.publish}>
    <ProblemLine>
      {listing.processingError ? <UntrustedText text={listing.processingError} /> : t('review.notPublished')}
    </ProblemLine>
    <div className={styles.publishLine}>
      {listing.processingErrorCode === 'IMAGES_UNREADABLE' && <ListingPhotoButton listing={listing} />}
      <ActionButton act="takeBack" loading={ask.isPending} onClick={() => ask.mutate('revertListing')}>
        {t('review.takeBack')}
      </ActionButton>
      <DiscardListingButton listingId={listing.listingId} ask={ask} />
      <OptionalMenu menuItems={menuItems} />
    </div>
    <PublishRefusalSection listing={listing} error={null} left={0} />
  </div>
);

const UnwrittenDraftSection = ({
  listing,
  ask,
  locked,
  menuItems,
}: {
  listing: Listing;
  ask: ListingRequest;
  locked: boolean;
  menuItems: ReactNode;
}) => (
  <div className={styles.publish}>
    <p>{t('review.notWritten')}</p>
    <div className={styles.publishLine}>
      <ListingPhotoButton listing={listing} locked={locked} />
      <ActionButton act="write" loading={ask.isPending} disabled={locked} onClick={() => ask.mutate('generateListing')}>
        {t('review.write')}
      </ActionButton>
      <DiscardListingButton listingId={listing.listingId} ask={ask} locked={locked} />
      <OptionalMenu menuItems={menuItems} />
    </div>
  </div>
);

type DiscardListingButtonProps = { listingId: string; ask: ListingRequest; locked?: boolean };

/** Discarding cannot be undone, so it needs an approval. Returns null for a listing that was live. */
const useDiscardListing = ({ listingId, ask, locked = false }: DiscardListingButtonProps): (() => void) | null => {
  const wentLive = useOriginalListing(listingId).data?.wentLive === true;
  const discardListing = (): void => {
    if (!ask.isPending && !locked && !wentLive) ask.mutate('deleteListing');
  };
  useScreenKeys({ d: discardListing });
  return wentLive ? null : discardListing;
};

const DiscardListingButton = (discarded: DiscardListingButtonProps) => {
  const discardListing = useDiscardListing(discarded);
  const { ask, locked = false } = discarded;
  if (discardListing === null) return null;
  return (
    <ActionButton
      act="discard"
      variant="quiet"
      aria-keyshortcuts="D"
      disabled={ask.isPending || locked}
      onClick={discardListing}
    >
      {t('review.discard')}
    </ActionButton>
  );
};

type PublishBarProps = {
  listingId: string;
  ask: ListingRequest;
  wait: number;
  locked: boolean;
  onNext: OnNext;
  checkButton: ReactNode;
  menuItems: ReactNode;
};

type PublishBarMenuProps = Omit<PublishBarProps, 'wait' | 'checkButton'>;

const PublishBarMenu = ({ listingId, ask, locked, onNext, menuItems }: PublishBarMenuProps) => {
  const discardListing = useDiscardListing({ listingId, ask, locked });
  const isBusy = ask.isPending || locked;
  useOfferedAction(onNext && { act: 'next', name: t('review.next'), run: onNext });
  useOfferedAction(
    discardListing && !isBusy ? { act: 'discard', name: t('review.discard'), run: discardListing } : null,
  );
  if (!onNext && !discardListing && !menuItems) return null;
  return (
    <MoreMenu>
      {onNext && (
        <Menu.Item aria-keyshortcuts="N" rightSection={<KeyCap>N</KeyCap>} onClick={onNext}>
          {t('review.next')}
        </Menu.Item>
      )}
      {menuItems}
      {discardListing && (
        <Menu.Item aria-keyshortcuts="D" disabled={isBusy} rightSection={<KeyCap>D</KeyCap>} onClick={discardListing}>
          {t('review.discard')}
        </Menu.Item>
      )}
    </MoreMenu>
  );
};

/** Sets the height of the bar on the pane, so that the bar never covers the focused element or the caret. */
const usePublishBarHeight = (foot: RefObject<HTMLDivElement | null>): void =>
  useEffect(() => {
    const [bar, pane] = [foot.current, foot.current?.closest('section')];
    if (!bar || !pane) return undefined;
    const observer = new ResizeObserver(() => pane.style.setProperty('--foot-height', `${bar.offsetHeight}px`));
    observer.observe(bar);
    return () => {
      observer.disconnect();
      pane.style.removeProperty('--foot-height');
    };
  }, [foot]);

const PublishBar = ({ wait, checkButton, ...menu }: PublishBarProps) => {
  const { ask, locked } = menu;
  const button = useRef<HTMLButtonElement>(null);
  const foot = useRef<HTMLDivElement>(null);
  usePublishBarHeight(foot);
  const isChangingPhotos = isRunningStage(useItemOfListing(menu.listingId)?.photoChange?.stage);
  // For this key, selected or checked items in the list have priority over the open item.
  useScreenKeys({ p: () => button.current?.click() }, { last: true });
  return (
    <div ref={foot} className={styles.foot}>
      <ActionButton
        act="publish"
        ref={button}
        variant="ink"
        aria-keyshortcuts="P"
        aria-describedby={hintId}
        loading={ask.isPending}
        disabled={wait > 0 || locked || isChangingPhotos}
        rightSection={<KeyCap>P</KeyCap>}
        onClick={() => ask.mutate('publishListing')}
      >
        {t('review.publish')}
      </ActionButton>
      {checkButton}
      <PublishBarMenu {...menu} />
      <span id={hintId} className="unseen">
        {t(isChangingPhotos ? 'review.photosChanging' : 'review.publishHint')}
      </span>
    </div>
  );
};

type PublishProblemsProps = {
  listing: Listing;
  problems: readonly string[];
  blocked: number;
  ask: ListingRequest;
  wait: number;
};

const PublishProblems = ({ listing, problems, blocked, ask, wait }: PublishProblemsProps) => {
  const top = useRef<HTMLDivElement>(null);
  const refused = ask.variables === 'publishListing' ? ask.error : null;
  // The person can request the publish from anywhere on the page, so the error is scrolled into view.
  useEffect(() => {
    if (refused) top.current?.scrollIntoView({ block: 'nearest' });
  }, [refused]);
  return (
    <div className={styles.top} ref={top}>
      {problems.map((problem) => (
        <ProblemLine key={problem}>
          <UntrustedText text={problem} />
        </ProblemLine>
      ))}
      {blocked > 0 && (
        <ProblemLine>
          {t('review.toFix', { count: blocked })}{' '}
          <button type="button" className={styles.inline} onClick={() => void focusInvalidField()}>
            {t('review.goThere')}
          </button>
        </ProblemLine>
      )}
      <PublishRefusalSection listing={listing} error={refused} left={wait} />
    </div>
  );
};

/** Returns whether the person said yes and the request was not refused. */
const isSentOrDue = (state: ApprovalView['state']): boolean =>
  ['approved', 'sending', 'done', 'unconfirmed'].includes(state);

export const wasListingEverLive = ({ status }: Listing): boolean => ['published', 'ended', 'sold'].includes(status);

type Props = {
  listing: Listing;
  problems: readonly string[];
  blocked: number;
  onNext: OnNext;
  checkButton: ReactNode;
  menuItems: ReactNode;
  edit: LiveEditState;
  children: ReactNode;
};

export const PublishFrame = ({ listing, problems, blocked, onNext, checkButton, menuItems, edit, children }: Props) => {
  const ask = useListingRequest(listing.listingId, (route, state) => {
    // After a refused or failed publish, the item stays open, because the person wants to change something.
    const over = route === 'publishListing' ? isSentOrDue(state) : state === 'done';
    // After a listing is ended, the item stays open because this screen shows the buttons to sell it again.
    if (over && route !== 'endListing') onNext?.();
  });
  const wait = useRetryWait(ask.error);
  const locked = useListingLock(listing.listingId) !== null;
  const waits = listing.status === 'pending_review';
  return (
    <>
      <ContradictedOutcomeNotice listingId={listing.listingId} />
      {listing.status === 'failed' && <FailedPublishSection listing={listing} ask={ask} menuItems={menuItems} />}
      {waits && <PublishProblems listing={listing} problems={problems} blocked={blocked} ask={ask} wait={wait} />}
      {listing.status === 'draft' && (
        <UnwrittenDraftSection listing={listing} ask={ask} locked={locked} menuItems={menuItems} />
      )}
      {wasListingEverLive(listing) && (
        <LiveListingHeader listing={listing} ask={ask} edit={edit} menuItems={menuItems} />
      )}
      {children}
      {waits && (
        <PublishBar
          listingId={listing.listingId}
          ask={ask}
          wait={wait}
          locked={locked}
          onNext={onNext}
          checkButton={checkButton}
          menuItems={menuItems}
        />
      )}
    </>
  );
};
