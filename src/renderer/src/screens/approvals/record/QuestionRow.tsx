import { IconChevronDown } from '@tabler/icons-react';
import { useId, useState } from 'react';
import { Ago } from '../../../parts/Ago.tsx';
import { UntrustedText } from '../../../parts/UntrustedText.tsx';
import { QuestionSteps } from './QuestionSteps.tsx';
import type { RecordLine } from './recordLines.ts';
import { questionWords, recordWords } from './recordWords.ts';
import styles from './record.module.css';

type Props = { line: RecordLine & { approvalIds: [string, ...string[]] }; brokenAt: number | null };

/** One question of the history in a line: what was asked, about what, and how it stands. It unfolds into its steps. */
export const QuestionRow = ({ line: { approvalIds, newest, rows }, brokenAt }: Props) => {
  const id = useId();
  const [open, setOpen] = useState(false);
  const act = questionWords(newest);
  const now = recordWords(newest);
  const isBroken = rows.some(({ seq }) => seq === brokenAt);
  return (
    <li className={styles.question} data-broken={isBroken || undefined}>
      <button
        type="button"
        className={styles.row}
        aria-expanded={open}
        aria-controls={open ? id : undefined}
        onClick={() => setOpen(!open)}
      >
        <span className={styles.seq}>{newest.seq}</span>
        <span className={styles.words}>
          <span>
            <UntrustedText text={act ?? now} fold={160} flag={false} />
            {act !== null && <span className={styles.now}>{now}</span>}
          </span>
          {newest.title !== null && (
            <span className={styles.soft}>
              <UntrustedText text={newest.title} fold={10_000} flag={false} />
            </span>
          )}
        </span>
        <span className={styles.at}>
          <Ago at={newest.at} />
          <IconChevronDown size={16} aria-hidden className={styles.chevron} />
        </span>
      </button>
      {open && <QuestionSteps id={id} approvalIds={approvalIds} found={rows} brokenAt={brokenAt} />}
    </li>
  );
};
