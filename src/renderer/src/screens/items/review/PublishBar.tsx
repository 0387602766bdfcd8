import { Button } from '@mantine/core';
import { useRef } from 'react';
import { publishFixOf } from '../../../../../contract/index.ts';
import { CallError, sentenceOf } from '../../../api/callError.ts';
import { Countdown, useWait } from '../../../parts/Countdown.tsx';
import { ExternalLink } from '../../../parts/ExternalLink.tsx';
import { ProblemLine } from '../../../parts/ProblemLine.tsx';
import { Said } from '../../../parts/Said.tsx';
import { useKeys } from '../../../parts/useKeys.ts';
import type { Listing } from '../../../api/types.ts';
import { PublishFix } from '../../approvals/fix/PublishFix.tsx';
import { useAsk } from './useAsk.ts';
import { useLastRefusal } from './useLastRefusal.ts';
import { t } from '../../../i18n/t.ts';
import styles from './review.module.css';

const Live = ({ listing }: { listing: Listing }) => (
  <div className={styles.live}>
    <p>{listing.status === 'published' ? t('review.live') : t('review.stands', { status: listing.status })}</p>
    {listing.marketListingUrl && (
      <p>
        <ExternalLink url={listing.marketListingUrl} withAddress>
          {t('review.openListing')}
        </ExternalLink>
      </p>
    )}
  </div>
);

/** Why the publish was refused, now or the last time, with the way out of it. */
const Refused = ({ listing: { listingId }, error, left }: { listing: Listing; error: unknown; left: number }) => {
  const last = useLastRefusal(listingId);
  if (error instanceof CallError && publishFixOf(error.code))
    return <PublishFix key={error.code} listingId={listingId} code={error.code} said={error.message} />;
  if (error)
    return (
      <ProblemLine>
        {sentenceOf(error)} <Countdown left={left} />
      </ProblemLine>
    );
  return last ? (
    <PublishFix
      key={last.approvalId}
      listingId={listingId}
      code={last.outcome?.code}
      said={last.outcome?.sentence ?? null}
      since={last.decidedAt}
    />
  ) : null;
};

type Props = { listing: Listing; problems: readonly string[]; blocked: number };

/** The way to publish: what is in its way, and the button that asks the question. */
export const PublishBar = ({ listing, problems, blocked }: Props) => {
  const button = useRef<HTMLButtonElement>(null);
  const ask = useAsk(listing.listingId);
  const wait = useWait(ask.error);
  useKeys({ p: () => button.current?.click() });
  if (listing.status === 'failed')
    return (
      <div className={styles.publish}>
        <ProblemLine>{t('review.notPublished')}</ProblemLine>
        <Refused listing={listing} error={null} left={0} />
      </div>
    );
  if (listing.status !== 'pending_review') return <Live listing={listing} />;
  return (
    <div className={styles.publish}>
      {problems.map((problem) => (
        <ProblemLine key={problem}>
          <Said text={problem} />
        </ProblemLine>
      ))}
      {blocked > 0 && <ProblemLine>{t('review.toFix', { count: blocked })}</ProblemLine>}
      <div className={styles.publishLine}>
        <Button
          ref={button}
          variant="ink"
          loading={ask.isPending}
          disabled={wait > 0}
          onClick={() => ask.mutate('publishListing')}
        >
          {t('review.publish')}
        </Button>
        <span className={styles.soft}>{t('review.publishHint')}</span>
      </div>
      <Refused listing={listing} error={ask.error} left={wait} />
    </div>
  );
};
