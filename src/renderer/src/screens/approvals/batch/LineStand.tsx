import type { BatchRow } from '../../../api/types.ts';
import { ExternalLink } from '../../../parts/ExternalLink.tsx';
import { Said } from '../../../parts/Said.tsx';
import type { Stand } from './batchRows.ts';
import { FixLink } from './FixLink.tsx';
import styles from './batch.module.css';

const words: Readonly<Partial<Record<Stand, string>>> = {
  waiting: 'Waiting its turn',
  sending: 'Being sent',
  done: 'Live',
  left: 'Left out, nothing was sent',
  unsure: 'Not confirmed yet. It is looked up, not sent again.',
};

/** What came of one line, or why it cannot be part of the yes. */
export const LineStand = ({ row, stand }: { row: BatchRow; stand: Stand }) => {
  if (stand === 'problem' || stand === 'failed')
    return (
      <span className={styles.look}>
        <Said text={row.problem?.sentence ?? row.approval?.outcome?.sentence ?? 'It was refused.'} fold={240} />{' '}
        <FixLink listingId={row.listingId} />
      </span>
    );
  if (stand === 'done')
    return (
      <span className={styles.done}>
        {words.done}
        {row.approval?.outcome?.url && (
          <>
            {' · '}
            <ExternalLink url={row.approval.outcome.url}>Open listing</ExternalLink>
          </>
        )}
      </span>
    );
  return words[stand] ? <span className={styles.soft}>{words[stand]}</span> : null;
};
