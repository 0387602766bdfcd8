import { publishFixOf } from '../../../../../contract/index.ts';
import { useWritten } from '../../../api/queries.ts';
import { CallError, sentenceOf, type ApprovalView, type Listing } from '../../../api/call.ts';
import { useEffect, useRef, type ReactNode, type RefObject } from 'react';
import { Countdown, useWait } from '../../../components/text/RelativeTime.tsx';
import { ProblemLine } from '../../../components/Page.tsx';
import { UntrustedText } from '../../../components/text/UntrustedText.tsx';
import { useKeys } from '../../../components/Keys.tsx';
import { ActButton } from '../../../components/acts/offeredActs.tsx';
import { PublishFix } from '../../approvals/fix/PublishFix.tsx';
import { routesOfActs } from '../../../../../contract/acts.ts';
import { isContradicted, promptText } from '../../approvals/approvalText.ts';
import { publishes } from '../../approvals/fix/useFix.ts';
import { useLastAnswer, useLock } from '../../approvals/useQuestions.ts';
import { useAsk, type AskMutation } from './useAsk.ts';
import { ListingPhotoButton } from '../arrange/ChangingPhotos.tsx';
import { t, translate } from '../../../i18n.ts';
import styles from './review.module.css';
import { ExternalLink } from '../../../components/ExternalLink.tsx';
import { useListingChannels } from '../../listings/channels/useListingChannels.ts';
import { SellAnother } from '../../listings/SellAgain.tsx';

const standText = ({ status }: Listing): string =>
  status === 'published'
    ? t('review.live')
    : status === 'ended'
      ? t('review.ended')
      : t('review.stands', { status: t(`listings.status.${status}`) });

type EditLive = { isOpen: boolean; turn: () => void; button: RefObject<HTMLButtonElement | null> };

type LiveHeadProps = { listing: Listing; ask: AskMutation; edit: EditLive };

const LiveActs = ({ listing, ask, edit }: LiveHeadProps) => {
  const locked = useLock(listing.listingId) !== null;
  const { isElsewhere } = useListingChannels(listing);
  return (
    <>
      <ActButton act="editLive" ref={edit.button} aria-expanded={edit.isOpen} onClick={edit.turn}>
        {t('review.editLive')}
      </ActButton>
      {/* A listing on several channels is ended on each channel separately. */}
      {!isElsewhere && (
        <ActButton act="end" disabled={locked || ask.isPending} onClick={() => ask.mutate('endListing')}>
          {t('items.end')}
        </ActButton>
      )}
    </>
  );
};

/** The status, link and actions of a listing that is or was live. */
const LiveHead = ({ listing, ask, edit }: LiveHeadProps) => {
  const isLive = listing.status === 'published';
  return (
    <div className={styles.live} data-live={isLive || undefined}>
      <div className={styles.stands}>
        <p>{standText(listing)}</p>
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

/** The last settled approval to publish this listing, if it failed for a reason that has a fix. */
const useLastRefusal = (listingId: string): ApprovalView | null => {
  const last = useLastAnswer(listingId, publishes);
  return last?.state === 'failed' && publishFixOf(last.outcome?.code) ? last : null;
};

/** Opens the next item to review; null if there is none. */
type OnNext = (() => void) | null;

type Ask = AskMutation;

const hintId = 'publish-hint';

const routesOnListing = routesOfActs('publish', 'revise', 'end', 'delete');

/** Warns if the service reported the last act as done but the listing contradicts it. */
const Contradicted = ({ listingId }: { listingId: string }) => {
  const last = useLastAnswer(listingId, routesOnListing);
  return last?.outcome && isContradicted(last) ? (
    <ProblemLine>
      <b>{promptText(last.prompt, 'act')}:</b> {translate(last.outcome.says, last.outcome.sentence)}
    </ProblemLine>
  ) : null;
};

/** Why the current or last publish was refused, and how to fix it. */
const Refused = ({ listing: { listingId }, error, left }: { listing: Listing; error: unknown; left: number }) => {
  const last = useLastRefusal(listingId);
  if (error instanceof CallError && publishFixOf(error.code))
    return <PublishFix key={error.code} listingId={listingId} code={error.code} sentence={error.message} />;
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
      sentence={last.outcome?.sentence ?? null}
      since={last.decidedAt}
    />
  ) : null;
};

/** Why writing or publishing failed, and the actions to return the listing to review. */
const Failed = ({ listing, ask }: { listing: Listing; ask: Ask }) => (
  <div className={styles.publish}>
    <ProblemLine>
      {listing.processingError ? <UntrustedText text={listing.processingError} /> : t('review.notPublished')}
    </ProblemLine>
    <div className={styles.publishLine}>
      {listing.processingErrorCode === 'IMAGES_UNREADABLE' && <ListingPhotoButton listing={listing} />}
      <ActButton act="takeBack" loading={ask.isPending} onClick={() => ask.mutate('revertListing')}>
        {t('review.takeBack')}
      </ActButton>
      <DiscardButton listingId={listing.listingId} ask={ask} />
    </div>
    <Refused listing={listing} error={null} left={0} />
  </div>
);

const Draft = ({ listing, ask, locked }: { listing: Listing; ask: Ask; locked: boolean }) => (
  <div className={styles.publish}>
    <p>{t('review.notWritten')}</p>
    <div className={styles.publishLine}>
      <ListingPhotoButton listing={listing} locked={locked} />
      <ActButton act="write" loading={ask.isPending} disabled={locked} onClick={() => ask.mutate('generateListing')}>
        {t('review.write')}
      </ActButton>
      <DiscardButton listingId={listing.listingId} ask={ask} locked={locked} />
    </div>
  </div>
);

type DiscardProps = { listingId: string; ask: Ask; locked?: boolean };

/** Requests to delete a listing that was never live. Needs an approval because it cannot be undone. */
const DiscardButton = ({ listingId, ask, locked = false }: DiscardProps) => {
  const wentLive = useWritten(listingId).data?.wentLive === true;
  const discard = (): void => {
    if (!ask.isPending && !locked && !wentLive) ask.mutate('deleteListing');
  };
  useKeys({ d: discard });
  if (wentLive) return null;
  return (
    <ActButton act="discard" variant="quiet" aria-keyshortcuts="D" disabled={ask.isPending || locked} onClick={discard}>
      {t('review.discard')}
    </ActButton>
  );
};

type FootProps = { listingId: string; ask: Ask; wait: number; locked: boolean; onNext: OnNext; look: ReactNode };

/** Tells the pane the height of the bar, so that it never covers the focused element or the caret. */
const useFootHeight = (foot: RefObject<HTMLDivElement | null>): void =>
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

const Foot = ({ listingId, ask, wait, locked, onNext, look }: FootProps) => {
  const button = useRef<HTMLButtonElement>(null);
  const foot = useRef<HTMLDivElement>(null);
  useFootHeight(foot);
  // The selected or checked items of the list have priority over the open one.
  useKeys({ p: () => button.current?.click() }, { last: true });
  return (
    <div ref={foot} className={styles.foot}>
      <ActButton
        act="publish"
        ref={button}
        variant="ink"
        aria-keyshortcuts="P"
        aria-describedby={hintId}
        loading={ask.isPending}
        disabled={wait > 0 || locked}
        onClick={() => ask.mutate('publishListing')}
      >
        {t('review.publish')}
      </ActButton>
      {look}
      {onNext && (
        <ActButton act="next" aria-keyshortcuts="N" onClick={onNext}>
          {t('review.next')}
        </ActButton>
      )}
      <DiscardButton listingId={listingId} ask={ask} locked={locked} />
      <span id={hintId} className={styles.soft}>
        {t('review.publishHint')}
      </span>
    </div>
  );
};

type TopProps = { listing: Listing; problems: readonly string[]; blocked: number; ask: Ask; wait: number };

const goToFirst = (): void => document.querySelector<HTMLElement>('main [aria-invalid=true]')?.focus();

const Top = ({ listing, problems, blocked, ask, wait }: TopProps) => {
  const top = useRef<HTMLDivElement>(null);
  const refused = ask.variables === 'publishListing' ? ask.error : null;
  // The request can come from anywhere on the page; scroll to its error here.
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
          <button type="button" className={styles.inline} onClick={goToFirst}>
            {t('review.goThere')}
          </button>
        </ProblemLine>
      )}
      <Refused listing={listing} error={refused} left={wait} />
    </div>
  );
};

export const wasLive = ({ status }: Listing): boolean => ['published', 'ended', 'sold'].includes(status);

type Props = {
  listing: Listing;
  problems: readonly string[];
  blocked: number;
  onNext: OnNext;
  look: ReactNode;
  edit: EditLive;
  children: ReactNode;
};

/** Wraps the fields of a listing: problems above, the publish action below. Opens the next item after the approval. */
export const PublishFrame = ({ listing, problems, blocked, onNext, look, edit, children }: Props) => {
  const ask = useAsk(listing.listingId, (route, state) => {
    // Stay after a failed publish: its fix is shown here.
    const over = route === 'publishListing' ? state !== 'failed' : state === 'done';
    // Stay after ending: the ways to sell the item again are shown here.
    if (over && route !== 'endListing') onNext?.();
  });
  const wait = useWait(ask.error);
  const locked = useLock(listing.listingId) !== null;
  const waits = listing.status === 'pending_review';
  return (
    <>
      <Contradicted listingId={listing.listingId} />
      {listing.status === 'failed' && <Failed listing={listing} ask={ask} />}
      {waits && <Top listing={listing} problems={problems} blocked={blocked} ask={ask} wait={wait} />}
      {listing.status === 'draft' && <Draft listing={listing} ask={ask} locked={locked} />}
      {wasLive(listing) && <LiveHead listing={listing} ask={ask} edit={edit} />}
      {children}
      {waits && (
        <Foot listingId={listing.listingId} ask={ask} wait={wait} locked={locked} onNext={onNext} look={look} />
      )}
    </>
  );
};
