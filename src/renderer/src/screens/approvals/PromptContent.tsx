import { IconAlertTriangle, IconArrowBackUp } from '@tabler/icons-react';
import { Trans } from 'react-i18next';
import type { ApprovalView, Prompt } from '../../api/call.ts';
import { RelativeTime } from '../../components/text/RelativeTime.tsx';
import { UntrustedText } from '../../components/text/UntrustedText.tsx';
import { t } from '../../i18n.ts';
import styles from './prompt.module.css';
import { formatNameOrigin, formatPromptPart, formatTargetTitle } from './approvalText.ts';
import { useState, type ReactNode } from 'react';
import { CorePicture } from '../../components/CorePicture.tsx';
import { FieldChangesTable } from './FieldChangesTable.tsx';
import { PromptFacts, PromptFeesTable } from './PromptFacts.tsx';

const renderBoldName = (name: string) => (
  <b>
    <UntrustedText text={name} fold={80} />
  </b>
);

export const SimilarNameWarning = ({ like }: { like: ApprovalView['nameLike'] }) =>
  like === null ? null : (
    <p className={styles.nameLike}>
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
  <header className={styles.who}>
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

const UndoNotice = ({ prompt }: { prompt: Prompt }) => (
  <p className={prompt.final ? styles.final : styles.undo}>
    {prompt.final ? <IconAlertTriangle size={16} aria-hidden /> : <IconArrowBackUp size={16} aria-hidden />}
    <span>
      <UntrustedText text={formatPromptPart(prompt, 'undo')} />
    </span>
  </p>
);

export const StatedReasonSection = ({ reason }: { reason: string | null }) =>
  reason ? (
    <section className={styles.section}>
      <h3 className={styles.label}>{t('approvals.ownWords')}</h3>
      <blockquote className={styles.reason}>
        <UntrustedText text={reason} fold={240} />
      </blockquote>
    </section>
  ) : null;

type PromptTargetProps = { target: NonNullable<Prompt['target']>; title: string };

const formatPhotoPosition = (at: number, of: number): string => t('approvals.photo', { at: at + 1, of });

export const ApprovalPhotosSection = ({ photos }: { photos: readonly string[] }) => {
  const [large, setLarge] = useState<string | null>(null);
  const at = photos.findIndex((url) => url === large);
  const shown = photos[at];
  if (photos.length === 0) return null;
  return (
    <section aria-label={t('approvals.photos')} className={styles.photos}>
      <ul>
        {photos.map((url, place) => (
          <li key={url}>
            <button
              type="button"
              aria-label={formatPhotoPosition(place, photos.length)}
              aria-pressed={url === large}
              onClick={() => setLarge(url === large ? null : url)}
            >
              <CorePicture src={url} alt="" width={44} height={44} />
            </button>
          </li>
        ))}
      </ul>
      {shown !== undefined && (
        <CorePicture className={styles.large} src={shown} alt={formatPhotoPosition(at, photos.length)} />
      )}
    </section>
  );
};

const PromptTarget = ({ target, title }: PromptTargetProps) => (
  <>
    <div className={styles.target}>
      {target.photoUrl ? (
        <CorePicture src={target.photoUrl} alt="" width={96} height={96} />
      ) : (
        target.listingId !== null && <span className={styles.noPhoto}>{t('approvals.noPhoto')}</span>
      )}
      <strong>
        <UntrustedText text={title} fold={200} />
      </strong>
    </div>
    {target.photos.length > 1 && <ApprovalPhotosSection photos={target.photos} />}
  </>
);

type PromptContentProps = { approval: ApprovalView; heading: (act: ReactNode) => ReactNode };

export const PromptContent = ({ approval, heading }: PromptContentProps) => {
  const { prompt, reason, sinceShown } = approval;
  return (
    <div className={styles.content}>
      <AskerHeader {...approval} />
      {sinceShown.length > 0 && (
        <section className={styles.since} role="alert">
          <FieldChangesTable changes={sinceShown} caption={t('approvals.sinceLooked')} />
        </section>
      )}
      <section className={styles.section}>
        {heading(<UntrustedText text={formatPromptPart(prompt, 'act')} flag={false} />)}
        <p>
          <UntrustedText text={formatPromptPart(prompt, 'consequence')} />
        </p>
      </section>
      {prompt.target && <PromptTarget target={prompt.target} title={formatTargetTitle(prompt)} />}
      {prompt.changes.length > 0 && (
        <section className={styles.section}>
          <FieldChangesTable changes={prompt.changes} caption={t('approvals.whatChanges')} />
        </section>
      )}
      <PromptFacts prompt={prompt} />
      {prompt.money && <PromptFeesTable money={prompt.money} />}
      <section className={styles.section}>
        <UndoNotice prompt={prompt} />
      </section>
      <StatedReasonSection reason={reason} />
    </div>
  );
};
