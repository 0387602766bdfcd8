import type { PhotoView } from '../../../api/types.ts';
import { UntrustedText } from '../../../parts/UntrustedText.tsx';
import { t } from '../../../i18n/t.ts';
import { translate } from '../../../i18n/language.ts';
import styles from './arrange.module.css';

/** Files that cannot be used, each with the reason. */
export const Refused = ({ photos }: { photos: readonly PhotoView[] }) =>
  photos.length === 0 ? null : (
    <div className={styles.refused}>
      <h3>{t('parts.photos.refused')}</h3>
      <ul>
        {photos.map(({ photoId, name, sentence, says }) => (
          <li key={photoId}>
            <UntrustedText text={name} fold={80} />
            {sentence && (
              <span className={styles.stand}>
                <UntrustedText text={translate(says, sentence)} />
              </span>
            )}
          </li>
        ))}
      </ul>
    </div>
  );
