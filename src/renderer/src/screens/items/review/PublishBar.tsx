import { Button } from '@mantine/core';
import { useRef } from 'react';
import { sentenceOf } from '../../../api/callError.ts';
import { Countdown, useWait } from '../../../parts/Countdown.tsx';
import { ExternalLink } from '../../../parts/ExternalLink.tsx';
import { ProblemLine } from '../../../parts/ProblemLine.tsx';
import { Said } from '../../../parts/Said.tsx';
import { useKeys } from '../../../parts/useKeys.ts';
import type { Listing } from '../../../api/types.ts';
import { useAsk } from './useAsk.ts';
import styles from './review.module.css';

const Live = ({ listing }: { listing: Listing }) => (
  <div className={styles.live}>
    <p>{listing.status === 'published' ? 'This listing is live.' : `This listing is ${listing.status}.`}</p>
    {listing.marketListingUrl && (
      <p>
        <ExternalLink url={listing.marketListingUrl} withAddress>
          Open listing
        </ExternalLink>
      </p>
    )}
  </div>
);

type Props = { listing: Listing; problems: readonly string[]; blocked: number };

const toFix = (count: number): string =>
  count === 1 ? 'One field below needs a look first.' : `${count} fields below need a look first.`;

/** The way to publish: what is in its way, and the button that asks the question. */
export const PublishBar = ({ listing, problems, blocked }: Props) => {
  const button = useRef<HTMLButtonElement>(null);
  const ask = useAsk(listing.listingId);
  const wait = useWait(ask.error);
  useKeys({ p: () => button.current?.click() });
  if (listing.status !== 'pending_review') return <Live listing={listing} />;
  return (
    <div className={styles.publish}>
      {problems.map((problem) => (
        <ProblemLine key={problem}>
          <Said text={problem} />
        </ProblemLine>
      ))}
      {blocked > 0 && <ProblemLine>{toFix(blocked)}</ProblemLine>}
      <div className={styles.publishLine}>
        <Button
          ref={button}
          variant="ink"
          loading={ask.isPending}
          disabled={wait > 0}
          onClick={() => ask.mutate('publishListing')}
        >
          Publish…
        </Button>
        <span className={styles.soft}>You see the fee and answer before anything goes live.</span>
      </div>
      {ask.error && (
        <ProblemLine>
          {sentenceOf(ask.error)} <Countdown left={wait} />
        </ProblemLine>
      )}
    </div>
  );
};
