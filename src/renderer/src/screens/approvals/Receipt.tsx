import { IconAlertTriangle, IconArrowBackUp } from '@tabler/icons-react';
import { Trans } from 'react-i18next';
import type { ApprovalView, Prompt } from '../../api/call.ts';
import { RelativeTime } from '../../components/text/RelativeTime.tsx';
import { UntrustedText } from '../../components/text/UntrustedText.tsx';
import { t } from '../../i18n.ts';
import styles from './receipt.module.css';
import { nameOriginOf, promptText, titleOf } from './approvalText.ts';
import { useState, type ReactNode } from 'react';
import { Picture } from '../../components/Picture.tsx';
import { Changes } from './Changes.tsx';
import { Facts, Fees } from './Facts.tsx';

const bold = (name: string) => (
  <b>
    <UntrustedText text={name} fold={80} />
  </b>
);

/** Warns that a name is easily confused with another assistant's name, or with a reserved one. */
export const NameLike = ({ like }: { like: ApprovalView['nameLike'] }) =>
  like === null ? null : (
    <p className={styles.nameLike}>
      <IconAlertTriangle size={16} aria-hidden />
      <span>
        {like.kind === 'reserved' ? (
          t('approvals.nameReserved')
        ) : (
          <Trans i18nKey="approvals.nameLike" components={{ name: bold(like.name) }} />
        )}
      </span>
    </p>
  );

type Props = Pick<ApprovalView, 'by' | 'askedAt' | 'nameLike'> & Partial<Pick<ApprovalView, 'quiet'>>;

/** The asker and the time; for an assistant, also the origin of its name and a warning about similar names. */
export const WhoAsks = ({ by, askedAt, nameLike, quiet = false }: Props) => (
  <header className={styles.who}>
    <p>
      {by.kind === 'person' ? (
        <b>{t('approvals.youAsked')}</b>
      ) : (
        <Trans i18nKey="approvals.asks" components={{ name: bold(by.name) }} />
      )}
    </p>
    <p className={styles.small}>
      {by.kind === 'assistant' && `${nameOriginOf({ by, quiet })} · `}
      <RelativeTime at={askedAt} />
    </p>
    <NameLike like={nameLike} />
  </header>
);

const Undo = ({ prompt }: { prompt: Prompt }) => (
  <p className={prompt.final ? styles.final : styles.undo}>
    {prompt.final ? <IconAlertTriangle size={16} aria-hidden /> : <IconArrowBackUp size={16} aria-hidden />}
    <span>
      <UntrustedText text={promptText(prompt, 'undo')} />
    </span>
  </p>
);

export const StatedReason = ({ reason }: { reason: string | null }) =>
  reason ? (
    <section className={styles.section}>
      <h3 className={styles.label}>{t('approvals.ownWords')}</h3>
      <blockquote className={styles.reason}>
        <UntrustedText text={reason} fold={240} />
      </blockquote>
    </section>
  ) : null;

type TargetProps = { target: NonNullable<Prompt['target']>; title: string };

const placeOf = (at: number, of: number): string => t('approvals.photo', { at: at + 1, of });

/** The photos bound to the approval as thumbnails. A click enlarges a photo; a second click shrinks it. */
export const BoundPhotos = ({ photos }: { photos: readonly string[] }) => {
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
              aria-label={placeOf(place, photos.length)}
              aria-pressed={url === large}
              onClick={() => setLarge(url === large ? null : url)}
            >
              <Picture src={url} alt="" width={44} height={44} />
            </button>
          </li>
        ))}
      </ul>
      {shown !== undefined && <Picture className={styles.large} src={shown} alt={placeOf(at, photos.length)} />}
    </section>
  );
};

/** The target: its first photo, its title and all its photos. */
const Target = ({ target, title }: TargetProps) => (
  <>
    <div className={styles.target}>
      {target.photoUrl ? (
        <Picture src={target.photoUrl} alt="" width={96} height={96} />
      ) : (
        // A target without a listing never has a photo, so "no photo" is not shown.
        target.listingId !== null && <span className={styles.noPhoto}>{t('approvals.noPhoto')}</span>
      )}
      <strong>
        <UntrustedText text={title} fold={200} />
      </strong>
    </div>
    {target.photos.length > 1 && <BoundPhotos photos={target.photos} />}
  </>
);

type ReceiptProps = { approval: ApprovalView; heading: (act: ReactNode) => ReactNode };

/**
 * The content of a prompt in reading order. The time left is shown below, next to the buttons. The heading names the
 * modal for screen readers.
 */
export const Receipt = ({ approval, heading }: ReceiptProps) => {
  const { prompt, reason, sinceShown } = approval;
  return (
    <div className={styles.receipt}>
      <WhoAsks {...approval} />
      {sinceShown.length > 0 && (
        <section className={styles.since} role="alert">
          <Changes changes={sinceShown} caption={t('approvals.sinceLooked')} />
        </section>
      )}
      <section className={styles.section}>
        {heading(<UntrustedText text={promptText(prompt, 'act')} flag={false} />)}
        <p>
          <UntrustedText text={promptText(prompt, 'consequence')} />
        </p>
      </section>
      {prompt.target && <Target target={prompt.target} title={titleOf(prompt)} />}
      {prompt.changes.length > 0 && (
        <section className={styles.section}>
          <Changes changes={prompt.changes} caption={t('approvals.whatChanges')} />
        </section>
      )}
      <Facts prompt={prompt} />
      {prompt.money && <Fees money={prompt.money} />}
      <section className={styles.section}>
        <Undo prompt={prompt} />
      </section>
      <StatedReason reason={reason} />
    </div>
  );
};
