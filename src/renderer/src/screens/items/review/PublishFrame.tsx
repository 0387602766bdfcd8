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

/** The fields of what buyers see: whether they are open, and the button that opens and closes them. */
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

/** The last answer to a publish of this listing, when it was a refusal that has a way out. */
const useLastRefusal = (listingId: string): ApprovalView | null => {
  const last = useLastAnswer(listingId, publishes);
  return last?.state === 'failed' && publishFixOf(last.outcome?.code) ? last : null;
};

/** Leads to the next one to be looked over, where there is one. */
type OnNext = (() => void) | null;

type Ask = AskMutation;

const hintId = 'publish-hint';

const routesOnListing = routesOfActs('publish', 'revise', 'end', 'delete');

/** That the service says the last act is done and the listing shows otherwise, as it is not to be asked for unseen again. */
const Contradicted = ({ listingId }: { listingId: string }) => {
  const last = useLastAnswer(listingId, routesOnListing);
  return last?.outcome && isContradicted(last) ? (
    <ProblemLine>
      <b>{promptText(last.prompt, 'act')}:</b> {translate(last.outcome.says, last.outcome.sentence)}
    </ProblemLine>
  ) : null;
};

/** Why the publish was refused, now or the last time, with the way out of it. */
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

/** What went wrong with it, and the way back to where it can be looked over. */
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

/** A draft of which nothing is written: written from its photos, or discarded. */
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

/** Deletes what never went live: a question first, as it cannot be undone. What was live is never deleted. */
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

/** Tells the pane how much of it these answers hide, so that nothing that has the focus or the caret stands behind them. */
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

/** The answers to a look: in sight wherever one reads. */
const Foot = ({ listingId, ask, wait, locked, onNext, look }: FootProps) => {
  const button = useRef<HTMLButtonElement>(null);
  const foot = useRef<HTMLDivElement>(null);
  useFootHeight(foot);
  // What is chosen in the list, or was looked over there, goes before the one that is open.
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

/** The first field that something is said about. */
const goToFirst = (): void => document.querySelector<HTMLElement>('main [aria-invalid=true]')?.focus();

const Top = ({ listing, problems, blocked, ask, wait }: TopProps) => {
  const top = useRef<HTMLDivElement>(null);
  const refused = ask.variables === 'publishListing' ? ask.error : null;
  // Asked from anywhere on the page, refused up here.
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

/** Whether buyers see it, or saw it. */
export const wasLive = ({ status }: Listing): boolean => ['published', 'ended', 'sold'].includes(status);

type Props = {
  listing: Listing;
  problems: readonly string[];
  blocked: number;
  onNext: OnNext;
  look: ReactNode;
  edit: EditLive;
  /** The fields, between what is in the way and the way. */
  children: ReactNode;
};

/** The way to publish: what is in its way above the fields, the button that asks below, and after the answer the next one. */
export const PublishFrame = ({ listing, problems, blocked, onNext, look, edit, children }: Props) => {
  const ask = useAsk(listing.listingId, (route, state) => {
    // A refused publish keeps its place: what is to be done about it stands here.
    const over = route === 'publishListing' ? state !== 'failed' : state === 'done';
    // What has ended stays open: the ways to sell it again stand here.
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
