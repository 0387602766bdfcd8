import type { ApprovalView } from '../../../api/types.ts';
import { Changes } from '../Changes.tsx';
import { Facts } from '../Facts.tsx';
import { Fees } from '../Fees.tsx';
import { BoundPhotos } from '../Target.tsx';
import { t } from '../../../i18n/t.ts';
import styles from './batch.module.css';

/** All that the yes is given to, one press away from each line. */
export const WholeLine = ({ approval: { prompt } }: { approval: ApprovalView }) => (
  <div className={styles.whole}>
    {prompt.target && <BoundPhotos photos={prompt.target.photos} />}
    <Facts prompt={prompt} />
    {prompt.changes.length > 0 && <Changes changes={prompt.changes} caption={t('approvals.whatChanges')} />}
    {prompt.money && <Fees money={prompt.money} />}
  </div>
);
