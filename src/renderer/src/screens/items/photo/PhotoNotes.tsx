import type { PhotoView } from '../../../api/types.ts';
import { UntrustedText } from '../../../parts/UntrustedText.tsx';
import { t } from '../../../i18n/t.ts';
import { translate } from '../../../i18n/language.ts';
import styles from './photo.module.css';

/** What is worth a word about a photo: why it is aside, and what could be better, each as a word and its sentence. */
export const PhotoNotes = ({ photo }: { photo: PhotoView }) => (
  <>
    {photo.sentence && (
      <p className={styles.soft}>
        <UntrustedText text={translate(photo.says, photo.sentence)} />
      </p>
    )}
    {photo.warnings.length > 0 && (
      <ul className={styles.warnings}>
        {photo.warnings.map(({ code }) => (
          <li key={code}>
            <strong>{t(`photo.warnings.${code}`)}</strong>
            {t(`photo.warned.${code}`)}
          </li>
        ))}
      </ul>
    )}
  </>
);
