import { Button } from '@mantine/core';
import type { PhotoView } from '../../../api/types.ts';
import { t } from '../../../i18n/t.ts';
import { plainly } from '../../../parts/untrustedText.ts';
import type { Arrange } from './useArrange.ts';
import { Picture } from '../../../parts/Picture.tsx';
import styles from './arrange.module.css';

/** Photos that were taken out, to be put back. */
export const TakenOut = ({ photos, arrange }: { photos: readonly PhotoView[]; arrange: Arrange }) =>
  photos.length === 0 ? null : (
    <div className={styles.takenOut}>
      <h3>{t('arrange.takenOut')}</h3>
      <ul>
        {photos.map((photo) => (
          <li key={photo.photoId}>
            {photo.thumbUrl && <Picture src={photo.thumbUrl} alt="" width={40} height={40} />}
            <Button variant="quiet" size="compact-sm" onClick={() => arrange.restore([photo.photoId])}>
              {t('arrange.putBack', { name: plainly(photo.name) })}
            </Button>
          </li>
        ))}
      </ul>
    </div>
  );
