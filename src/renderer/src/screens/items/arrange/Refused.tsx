import type { PhotoView } from '../../../api/types.ts';
import { Said } from '../../../parts/Said.tsx';
import { t } from '../../../i18n/t.ts';
import { told } from '../../../i18n/told.ts';
import styles from './arrange.module.css';

/** Files that cannot be used, each with the reason. */
export const Refused = ({ photos }: { photos: readonly PhotoView[] }) =>
  photos.length === 0 ? null : (
    <div className={styles.refused}>
      <h3>{t('parts.photos.refused')}</h3>
      <ul>
        {photos.map(({ photoId, name, sentence, says }) => (
          <li key={photoId}>
            <Said text={name} fold={80} />
            {sentence && (
              <span className={styles.stand}>
                <Said text={told(says, sentence)} />
              </span>
            )}
          </li>
        ))}
      </ul>
    </div>
  );
