import type { RefObject } from 'react';
import type { Listing } from '../../../api/call.ts';
import { ExternalLink } from '../../../components/ExternalLink.tsx';
import { ActButton } from '../../../components/acts/offeredActs.tsx';
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

/** The fields of what buyers see: whether they are open, and the button that opens and closes them. */
export type EditLive = { isOpen: boolean; turn: () => void; button: RefObject<HTMLButtonElement | null> };

type Props = { listing: Listing; ask: AskMutation; edit: EditLive };

const LiveActs = ({ listing, ask, edit }: Props) => {
  const locked = useLock(listing.listingId) !== null;
  const { isElsewhere } = useListingChannels(listing);
  return (
    <>
      <ActButton act="editLive" ref={edit.button} aria-expanded={edit.isOpen} onClick={edit.turn}>
        {t('review.editLive')}
      </ActButton>
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
export const LiveHead = ({ listing, ask, edit }: Props) => {
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
        {isLive && <LiveActs listing={listing} ask={ask} edit={edit} />}
        {listing.status === 'ended' && (
          <ActButton act="bringBack" loading={ask.isPending} onClick={() => ask.mutate('relistListing')}>
            {t('items.relist')}
          </ActButton>
        )}
        <SellAnother of={listing} variant={listing.status === 'sold' ? 'default' : 'quiet'} />
      </div>
      {isLive && !edit.isOpen && <p className={styles.soft}>{t('review.editLiveHint')}</p>}
    </div>
  );
};
