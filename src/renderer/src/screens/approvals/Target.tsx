import type { Prompt } from '../../api/types.ts';
import { Said } from '../../parts/Said.tsx';
import { t } from '../../i18n/t.ts';
import styles from './receipt.module.css';

type Props = { target: NonNullable<Prompt['target']>; title: string };

/** The thing it is about: its first photo and its title. */
export const Target = ({ target, title }: Props) => (
  <div className={styles.target}>
    {target.photoUrl ? (
      <img src={target.photoUrl} alt="" width={72} height={72} />
    ) : (
      <span className={styles.noPhoto}>{t('approvals.noPhoto')}</span>
    )}
    <strong>
      <Said text={title} fold={200} />
    </strong>
  </div>
);
