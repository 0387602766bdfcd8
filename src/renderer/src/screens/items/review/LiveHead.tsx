import type { Listing } from '../../../api/call.ts';
import { ExternalLink } from '../../../components/ExternalLink.tsx';
import { ActButton } from '../../../components/offeredActs.tsx';
import { t } from '../../../i18n.ts';
import { useLock } from '../../approvals/useQuestions.ts';
import { useListingChannels } from '../../listings/channels/useListingChannels.ts';
import { SellAnother } from '../../listings/SellAgain.tsx';
import type { AskMutation } from './useAsk.ts';
import styles from './review.module.css';

const standText = ({ status }: Listing): string =>
  status === 'published'
    ? t('review.live')
    : status === 'ended'
      ? t('review.ended')
      : t('review.stands', { status: t(`listings.status.${status}`) });

type Props = {
  listing: Listing;
  ask: AskMutation;
  /** Opens the fields of what buyers see; null while they are open. */
  onEdit: (() => void) | null;
};

const LiveActs = ({ listing, ask, onEdit }: Props) => {
  const locked = useLock(listing.listingId) !== null;
  const { isElsewhere } = useListingChannels(listing);
  return (
    <>
      {onEdit && (
        <ActButton act="editLive" onClick={onEdit}>
          {t('review.editLive')}
        </ActButton>
      )}
      {/* Where it is live in several places, it is ended in each of them. */}
      {!isElsewhere && (
        <ActButton act="end" disabled={locked || ask.isPending} onClick={() => ask.mutate('endListing')}>
          {t('items.end')}
        </ActButton>
      )}
    </>
  );
};

/** A listing that is or was live: how it stands, where it is, and what can be done with it. */
export const LiveHead = ({ listing, ask, onEdit }: Props) => {
  const isLive = listing.status === 'published';
  return (
    <div className={styles.live} data-live={isLive || undefined}>
      <div className={styles.stands}>
        <p>{standText(listing)}</p>
        {listing.marketListingUrl && (
          <ExternalLink
            url={listing.marketListingUrl}
            withAddress
            offer={{ act: 'openListing', name: t('review.openListing') }}
          >
            {t('review.openListing')}
          </ExternalLink>
        )}
      </div>
      <div className={styles.publishLine}>
        {isLive && <LiveActs listing={listing} ask={ask} onEdit={onEdit} />}
        {listing.status === 'ended' && (
          <ActButton act="bringBack" loading={ask.isPending} onClick={() => ask.mutate('relistListing')}>
            {t('items.relist')}
          </ActButton>
        )}
        <SellAnother of={listing} variant={listing.status === 'sold' ? 'default' : 'quiet'} />
      </div>
      {isLive && onEdit && <p className={styles.soft}>{t('review.editLiveHint')}</p>}
    </div>
  );
};
