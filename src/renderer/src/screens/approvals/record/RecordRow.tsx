import type { HistoryRow } from '../../../api/types.ts';
import { Ago } from '../../../parts/Ago.tsx';
import { UntrustedText } from '../../../parts/UntrustedText.tsx';
import { aboutOf, recordWords } from './recordWords.ts';
import styles from './record.module.css';

/** One row of the history: a step of a question, or something that stands by itself. */
export const RecordRow = ({ row, broken }: { row: HistoryRow; broken: boolean }) => {
  const about = aboutOf(row);
  return (
    <li className={styles.row} data-broken={broken || undefined}>
      <span className={styles.seq}>{row.seq}</span>
      <span className={styles.words}>
        <span>
          <UntrustedText text={recordWords(row)} fold={160} flag={false} />
        </span>
        {about !== null && (
          <span className={styles.soft}>
            <UntrustedText text={about} fold={10_000} flag={false} />
          </span>
        )}
      </span>
      <span className={styles.at}>
        <Ago at={row.at} />
      </span>
    </li>
  );
};
