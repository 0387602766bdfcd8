import { Loader } from '@mantine/core';
import { IconAlertTriangle, IconCheck, IconInfoCircle } from '@tabler/icons-react';
import { Trans } from 'react-i18next';
import type { ApprovalView, Change, Fact, Prompt } from '../../api/call.ts';
import { RelativeTime } from '../../components/text/RelativeTime.tsx';
import { UntrustedText } from '../../components/text/UntrustedText.tsx';
import { t, translateMessage } from '../../i18n.ts';
import styles from './prompt.module.css';
import contentStyles from './promptContent.module.css';
import {
  formatNameOrigin,
  formatPromptPart,
  formatTargetTitle,
  isContradictedByListing,
  isPublishRoute,
  isRequestInFlight,
  isSuccessUnchecked,
  formatApprovalState,
  getPromptAction,
  isInUndoWindow,
  isWaitingForPerson,
} from './approvalText.ts';
import { useState, type ReactNode } from 'react';
import { CorePicture } from '../../components/CorePicture.tsx';
import { FieldChangesTable } from './FieldChangesTable.tsx';
import { findUnchangedPrice, formatFactLabel, PromptFacts } from './PromptFacts.tsx';
import { formatEnglishMessage } from '../../../../i18n/english.ts';
import type { Message, MessageKey } from '../../../../i18n/message.ts';

/** The results of publishes, by the key of their heading. Both texts have the same placeholders. */
const publishResults: Readonly<Record<string, MessageKey>> = {
  'prompts.publishOn': 'prompts.liveOn',
  'prompts.publishOnToo': 'prompts.liveOnToo',
  'prompts.publishOnChannels': 'prompts.liveOnChannels',
};

/** For example "Live on the US site". */
const formatDoneResult = ({ route, prompt }: Pick<ApprovalView, 'route' | 'prompt'>): string => {
  const { key, values } = prompt.says?.act ?? { key: '' };
  const result = publishResults[key];
  if (result === undefined) return t(`approvals.batch.stand.${getPromptAction(route)}`);
  const message: Message = { key: result, values };
  return translateMessage(message, formatEnglishMessage(message));
};

/** Returns how the request ended, or null while the prompt still asks or the yes can be taken back. */
export const formatPromptResult = (approval: ApprovalView): string | null => {
  if (isWaitingForPerson(approval) || isInUndoWindow(approval)) return null;
  const isDone = approval.state === 'done' && !isSuccessUnchecked(approval) && !isContradictedByListing(approval);
  return isDone ? formatDoneResult(approval) : formatApprovalState(approval);
};

const renderBoldName = (name: string) => (
  <b>
    <UntrustedText text={name} fold={80} />
  </b>
);

export const SimilarNameWarning = ({ like }: { like: ApprovalView['nameLike'] }) =>
  like === null ? null : (
    <p className={contentStyles.nameLike}>
      <IconAlertTriangle size={16} aria-hidden />
      <span>
        {like.kind === 'reserved' ? (
          t('approvals.nameReserved')
        ) : (
          <Trans i18nKey="approvals.nameLike" components={{ name: renderBoldName(like.name) }} />
        )}
      </span>
    </p>
  );

type AskerHeaderProps = Pick<ApprovalView, 'by' | 'askedAt' | 'nameLike'> & Partial<Pick<ApprovalView, 'quiet'>>;

export const AskerHeader = ({ by, askedAt, nameLike, quiet = false }: AskerHeaderProps) => (
  <header className={contentStyles.who}>
    <p>
      {by.kind === 'person' ? (
        <b>{t('approvals.youAsked')}</b>
      ) : (
        <Trans i18nKey="approvals.asks" components={{ name: renderBoldName(by.name) }} />
      )}
    </p>
    <p className={styles.small}>
      {by.kind === 'assistant' && `${formatNameOrigin({ by, quiet })} · `}
      <RelativeTime at={askedAt} />
    </p>
    <SimilarNameWarning like={nameLike} />
  </header>
);

export const StatedReasonSection = ({ reason }: { reason: string | null }) =>
  reason ? (
    <section>
      <h3 className={styles.label}>{t('approvals.ownWords')}</h3>
      <blockquote className={contentStyles.reason}>
        <UntrustedText text={reason} fold={240} />
      </blockquote>
    </section>
  ) : null;

const formatPhotoPosition = (at: number, of: number): string => t('approvals.photo', { at: at + 1, of });

type PromptPhotosProps = {
  photos: readonly string[];
  /** The width of the first photo. */
  firstPx?: number;
  /** Stands beside the first photo. */
  children?: ReactNode;
};

/** Shows every photo once. A press enlarges a photo below the others. */
export const PromptPhotos = ({ photos, firstPx = 44, children }: PromptPhotosProps) => {
  const [large, setLarge] = useState<string | null>(null);
  const at = photos.findIndex((url) => url === large);
  const shown = photos[at];
  const renderPhoto = (url: string, place: number, sizePx: number) => (
    <button
      key={url}
      type="button"
      aria-label={formatPhotoPosition(place, photos.length)}
      aria-pressed={url === large}
      onClick={() => setLarge(url === large ? null : url)}
    >
      <CorePicture src={url} alt="" width={sizePx} height={sizePx} />
    </button>
  );
  const [first, ...others] = photos;
  return (
    <div className={contentStyles.target}>
      {first !== undefined && (
        <section aria-label={t('approvals.photos')} className={contentStyles.photos}>
          {renderPhoto(first, 0, firstPx)}
          {others.length > 0 && (
            <div className={contentStyles.strip}>{others.map((url, place) => renderPhoto(url, place + 1, 44))}</div>
          )}
          {shown !== undefined && (
            <CorePicture className={contentStyles.large} src={shown} alt={formatPhotoPosition(at, photos.length)} />
          )}
        </section>
      )}
      {children}
    </div>
  );
};

type PromptTargetProps = { target: NonNullable<Prompt['target']>; title: string; price: Fact | undefined };

const PromptTarget = ({ target, title, price }: PromptTargetProps) => (
  <PromptPhotos photos={target.photos} firstPx={96}>
    {target.photos.length === 0 && target.listingId !== null && (
      <span className={contentStyles.noPhoto}>{t('approvals.noPhoto')}</span>
    )}
    <div className={contentStyles.headline}>
      <strong>
        <UntrustedText text={title} fold={200} />
      </strong>
      {price && (
        <dl className={contentStyles.price}>
          <dt className="unseen">{formatFactLabel(price)}</dt>
          <dd>{translateMessage(price.says, price.value)}</dd>
        </dl>
      )}
    </div>
  </PromptPhotos>
);

/** A changed price comes first, because it stands where the price of an unchanged listing is. */
const putPriceFirst = (changes: readonly Change[]): Change[] =>
  [...changes].sort((a, b) => Number(b.key === 'price') - Number(a.key === 'price'));

const OutcomeIcon = ({ approval }: { approval: ApprovalView }) => {
  const { state } = approval;
  if (isContradictedByListing(approval))
    return <IconAlertTriangle size={20} className={contentStyles.lookMark} aria-hidden />;
  if (isRequestInFlight(state)) return <Loader size={18} color="gray" aria-hidden />;
  return state === 'done' && !isSuccessUnchecked(approval) ? (
    <IconCheck size={20} aria-hidden />
  ) : (
    <IconInfoCircle size={20} aria-hidden />
  );
};

/** Says what the prompt asks, and after the answer how it ended. */
const PromptHeading = ({ approval, heading }: PromptContentProps) => {
  const { prompt } = approval;
  const result = formatPromptResult(approval);
  const act = <UntrustedText text={formatPromptPart(prompt, 'act')} flag={false} />;
  if (result === null)
    return (
      <section>
        {heading(act)}
        <p>
          <UntrustedText text={formatPromptPart(prompt, 'consequence')} />
        </p>
      </section>
    );
  return (
    <section role="status">
      {heading(
        <span className={contentStyles.result}>
          <OutcomeIcon approval={approval} />
          <UntrustedText text={result} flag={false} />
        </span>,
      )}
      {approval.state !== 'done' && <p className={styles.small}>{act}</p>}
    </section>
  );
};

type PromptContentProps = { approval: ApprovalView; heading: (act: ReactNode) => ReactNode };

export const PromptContent = ({ approval, heading }: PromptContentProps) => {
  const { prompt, reason, route, sinceShown } = approval;
  const price = findUnchangedPrice(prompt);
  return (
    <div className={styles.content}>
      <AskerHeader {...approval} />
      <StatedReasonSection reason={reason} />
      {sinceShown.length > 0 && (
        <section className={contentStyles.since} role="alert">
          <FieldChangesTable changes={sinceShown} caption={t('approvals.sinceLooked')} />
        </section>
      )}
      <PromptHeading approval={approval} heading={heading} />
      {prompt.target && <PromptTarget target={prompt.target} title={formatTargetTitle(prompt)} price={price} />}
      {prompt.changes.length > 0 && (
        <section>
          <FieldChangesTable changes={putPriceFirst(prompt.changes)} caption={t('approvals.whatChanges')} />
        </section>
      )}
      <PromptFacts prompt={prompt} shown={price} foldsDefaults={isPublishRoute(route)} />
    </div>
  );
};
