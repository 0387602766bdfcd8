import { useState } from 'react';
import type { Prompt } from '../../api/types.ts';
import { UntrustedText } from '../../parts/UntrustedText.tsx';
import { t } from '../../i18n/t.ts';
import { Picture } from '../../parts/Picture.tsx';
import styles from './receipt.module.css';

type Props = { target: NonNullable<Prompt['target']>; title: string };

const placeOf = (at: number, of: number): string => t('approvals.photo', { at: at + 1, of });

/** The photos that are bound, small; one that is pressed is shown large, and pressed again small. */
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

/** The thing it is about: its first photo, its title, and all photos that go with it. */
export const Target = ({ target, title }: Props) => (
  <>
    <div className={styles.target}>
      {target.photoUrl ? (
        <Picture src={target.photoUrl} alt="" width={96} height={96} />
      ) : (
        <span className={styles.noPhoto}>{t('approvals.noPhoto')}</span>
      )}
      <strong>
        <UntrustedText text={title} fold={200} />
      </strong>
    </div>
    {target.photos.length > 1 && <BoundPhotos photos={target.photos} />}
  </>
);
