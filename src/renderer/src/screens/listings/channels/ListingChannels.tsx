import { Button } from '@mantine/core';
import { useEffect, useRef, useState } from 'react';
import { Trans } from 'react-i18next';
import { Link } from 'wouter';
import { findListingCurrency, findPublishFix, channelActRoutes } from '../../../../../contract/index.ts';
import { CallError, type Listing, getErrorSentence } from '../../../api/call.ts';
import { findKnownWord, findTextField } from '../../../api/unknownRecord.ts';
import { ExternalLink } from '../../../components/ExternalLink.tsx';
import { ActionButton } from '../../../components/acts/offeredActs.tsx';
import { ErrorLine, ProblemLine } from '../../../components/ScreenPage.tsx';
import { UntrustedText } from '../../../components/text/UntrustedText.tsx';
import { t, translateMessage } from '../../../i18n.ts';
import { useLastListingApproval, useListingLock } from '../../approvals/usePrompts.ts';
import { LiveEditForm } from '../../items/review/LiveEdit.tsx';
import { useListingRequest } from '../../items/review/useListingRequest.ts';
import styles from './channels.module.css';
import { PublishChannelsForm } from './PublishChannelsForm.tsx';
import { RefreshListingButton } from './ListingVisibilitySection.tsx';
import {
  toChannelListing,
  formatOtherPrice,
  type ListingChannel,
  useChannelActionRequest,
  useListingChannels,
} from './useListingChannels.ts';

const namedStatuses = ['published', 'ended', 'sold'] as const;

const ChannelStateText = ({ state: { status, isLive, isGone } }: Pick<ListingChannel, 'state'>) => {
  if (isGone) return t('listings.channels.removed');
  const known = isLive ? 'published' : findKnownWord(namedStatuses, status);
  return known === undefined ? <UntrustedText text={status} fold={40} /> : t(`listings.status.${known}`);
};

type ChannelRowProps = { listing: Listing; place: ListingChannel };
type MarketRowProps = ChannelRowProps & { isElsewhere: boolean };

const OtherChannelActions = ({ listing, place }: ChannelRowProps) => {
  const [editing, setEditing] = useState(false);
  const button = useRef<HTMLButtonElement>(null);
  const ask = useChannelActionRequest(listing.listingId);
  const locked = useListingLock(listing.listingId) !== null;
  const { name, channelId, state } = place;
  const body = { channels: [channelId] };
  const closeEditForm = (): void => {
    setEditing(false);
    button.current?.focus();
  };
  const { isLive, isGone } = state;
  const waits = locked || ask.isPending;
  return (
    <>
      <div className={styles.acts}>
        {isLive && (
          <>
            <ActionButton
              ref={button}
              size="compact-sm"
              act="channels"
              aria-label={t('listings.channels.changeOn', { name })}
              aria-expanded={editing}
              onClick={() => setEditing(!editing)}
            >
              {t('listings.channels.change')}
            </ActionButton>
            <ActionButton
              size="compact-sm"
              act="end"
              aria-label={t('listings.channels.endOn', { name })}
              disabled={waits}
              onClick={() => ask.mutate({ route: 'endChannels', body })}
            >
              {t('listings.channels.end')}
            </ActionButton>
          </>
        )}
        {!isGone && (
          <ActionButton
            size="compact-sm"
            variant="quiet"
            act="discard"
            aria-label={t('listings.channels.removeFrom', { name })}
            disabled={waits}
            onClick={() => ask.mutate({ route: 'deleteFromChannels', body })}
          >
            {t('listings.channels.remove')}
          </ActionButton>
        )}
      </div>
      <ErrorLine error={ask.error} />
      {editing && isLive && (
        <LiveEditForm
          name={t('listings.channels.changeForm', { name })}
          listing={toChannelListing(listing, place)}
          currency={findListingCurrency(listing)}
          targets={[place]}
          onClose={closeEditForm}
        />
      )}
    </>
  );
};

const MarketChannelActions = ({ listing, place: { name, state }, isElsewhere }: MarketRowProps) => {
  const ask = useListingRequest(listing.listingId);
  const locked = useListingLock(listing.listingId) !== null;
  return (
    <div className={styles.acts}>
      {isElsewhere && state.isLive && listing.status === 'published' && (
        <ActionButton
          size="compact-sm"
          act="end"
          aria-label={t('listings.channels.endOn', { name })}
          disabled={locked || ask.isPending}
          onClick={() => ask.mutate('endListing')}
        >
          {t('listings.channels.end')}
        </ActionButton>
      )}
      <RefreshListingButton listing={listing} />
    </div>
  );
};

const ChannelRow = ({ listing, place, isElsewhere }: MarketRowProps) => {
  const url = findTextField(place.state.fields, 'url', 'marketListingUrl', 'listingUrl');
  const price = place.own ? null : formatOtherPrice(listing, place);
  return (
    <li>
      <div className={styles.place}>
        <b>{place.name}</b>
        <span className={styles.state} data-live={place.state.isLive || undefined}>
          <ChannelStateText state={place.state} />
        </span>
        {place.state.isLive && price !== null && <span>{t('listings.channels.priceThere', { price })}</span>}
        {url !== null && (
          <ExternalLink withHost url={url}>
            {t('listings.channels.see')}
          </ExternalLink>
        )}
      </div>
      {place.own ? (
        <MarketChannelActions listing={listing} place={place} isElsewhere={isElsewhere} />
      ) : (
        <OtherChannelActions listing={listing} place={place} />
      )}
    </li>
  );
};

const ChannelRefusalNotice = ({ listingId }: { listingId: string }) => {
  const last = useLastListingApproval(listingId, channelActRoutes);
  const outcome = last?.state === 'failed' ? last.outcome : null;
  // A refusal that has a fix is shown next to the publish button, so it is not shown here.
  if (!outcome || findPublishFix(outcome.code)) return null;
  const sentence = <UntrustedText text={translateMessage(outcome.says, outcome.sentence)} />;
  return (
    <div className={styles.line}>
      <ProblemLine>
        <Trans i18nKey="listings.channels.refused" components={{ sentence }} />
      </ProblemLine>
      <Link href="/selling">{t('listings.channels.setup')}</Link>
    </div>
  );
};

const AfterSaleNotice = ({ listing, places }: { listing: Listing; places: readonly ListingChannel[] }) => {
  const delist = listing['autoDelistOnSale'];
  if (typeof delist !== 'boolean' || places.filter(({ state }) => state.isLive).length < 2) return null;
  return <p className={styles.soft}>{t(delist ? 'listings.channels.willDelist' : 'listings.channels.willStay')}</p>;
};

const joinChannelNames = (places: readonly { name: string }[]): string => places.map(({ name }) => name).join(', ');

/**
 * The service ends a sold-out listing on the other channels, so this names the channels where it did and where it did
 * not.
 */
const SoldNotice = ({ listing, places }: { listing: Listing; places: readonly ListingChannel[] }) => {
  if (!places.some(({ state }) => state.status === 'sold')) return null;
  const ended = places.filter(({ state: { status, isOff } }) => isOff && status !== 'sold');
  // With stock left, the listing is meant to stay live.
  const isSoldOut = listing.status === 'sold' || listing.quantity === 0;
  const live = isSoldOut ? places.filter(({ state }) => state.isLive) : [];
  return (
    <>
      {ended.length > 0 && <p>{t('listings.channels.endedAfterSale', { names: joinChannelNames(ended) })}</p>}
      {live.length > 0 && (
        <ProblemLine>{t('listings.channels.liveAfterSale', { names: joinChannelNames(live) })}</ProblemLine>
      )}
    </>
  );
};

const heightKey = 'channelsHeight';

/** Reserves the last height of the section, so that the content below does not jump while the section loads. */
const useReservedHeight = ({ status }: Listing, isRead: boolean) => {
  const section = useRef<HTMLElement>(null);
  const key = `${heightKey} ${status}`;
  const [before] = useState(() => Number(localStorage.getItem(key)));
  useEffect(() => {
    if (!isRead) return undefined;
    const storeHeight = (px: number): void => localStorage.setItem(key, String(px));
    if (section.current === null) return storeHeight(0);
    // The observer also tells the first height. Reading it here would lay out the page at once.
    const observer = new ResizeObserver(([entry]) => storeHeight(entry?.borderBoxSize[0]?.blockSize ?? 0));
    observer.observe(section.current);
    return () => observer.disconnect();
  }, [isRead, key]);
  return { ref: section, minHeight: isRead ? 0 : before };
};

export const ListingChannelsSection = ({ listing }: { listing: Listing }) => {
  const { places, isElsewhere, offered, unconnected, error, again, busy, isRead } = useListingChannels(listing);
  const isWaiting = listing.status === 'pending_review';
  const { ref, minHeight } = useReservedHeight(listing, isRead);
  const isEmpty = isWaiting ? offered.length === 0 : places.length === 0 && !error;
  if (isEmpty) return minHeight > 0 ? <div style={{ minHeight }} /> : null;
  return (
    <section ref={ref} aria-label={t('listings.channels.title')} className={styles.section} style={{ minHeight }}>
      <h3>{t('listings.channels.title')}</h3>
      {error && (
        <div className={styles.line}>
          <ProblemLine>{error instanceof CallError ? getErrorSentence(error) : t('selling.odd')}</ProblemLine>
          <Button size="compact-sm" loading={busy} onClick={again}>
            {t('app.tryAgain')}
          </Button>
        </div>
      )}
      {places.length > 0 && (
        <ul className={styles.places}>
          {places.map((place) => (
            <ChannelRow key={place.channelId} listing={listing} place={place} isElsewhere={isElsewhere} />
          ))}
        </ul>
      )}
      <AfterSaleNotice listing={listing} places={places} />
      <SoldNotice listing={listing} places={places} />
      {!isWaiting && <ChannelRefusalNotice listingId={listing.listingId} />}
      {offered.length > 0 && <PublishChannelsForm listing={listing} offered={offered} />}
      {listing.status === 'published' && unconnected.length > 0 && (
        <p>
          <Link href="/selling">{t('listings.channels.connect', { names: joinChannelNames(unconnected) })}</Link>
        </p>
      )}
    </section>
  );
};
