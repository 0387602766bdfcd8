import { IconAlertTriangle, IconArrowBackUp } from '@tabler/icons-react';
import { UntrustedText } from '../../../parts/UntrustedText.tsx';
import { headOf, type BatchGroup } from './batchGroups.ts';
import { onceOf } from './batchRows.ts';
import receipt from '../receipt.module.css';
import styles from './batch.module.css';

type Props = {
  group: BatchGroup;
  id: string;
  /** The only group: its act stands above already. */
  alone: boolean;
  /** What follows from a yes is said until it has followed. */
  over: boolean;
};

/** The act of a group, what follows from a yes to it, and whether it can be undone. */
export const GroupHead = ({ group, id, alone, over }: Props) => {
  const isFinal = group.rows.some(({ approval }) => approval?.prompt.final);
  const sentences = (which: 'consequence' | 'undo'): string[] => (over ? [] : onceOf(group.rows, which));
  return (
    <header className={alone && over ? receipt.unseen : styles.groupHead}>
      <h3 id={id} className={alone ? receipt.unseen : undefined}>
        <UntrustedText text={headOf(group)} flag={false} />
      </h3>
      {sentences('consequence').map((sentence) => (
        <p key={sentence}>
          <UntrustedText text={sentence} />
        </p>
      ))}
      {sentences('undo').map((sentence) => (
        <p key={sentence} className={isFinal ? receipt.final : receipt.undo}>
          {isFinal ? <IconAlertTriangle size={16} aria-hidden /> : <IconArrowBackUp size={16} aria-hidden />}
          <span>
            <UntrustedText text={sentence} />
          </span>
        </p>
      ))}
    </header>
  );
};
