import { IconAlertTriangle, IconArrowBackUp } from '@tabler/icons-react';
import type { Prompt } from '../../api/types.ts';
import { Said } from '../../parts/Said.tsx';
import styles from './receipt.module.css';

/** Whether and how the act can be undone. */
export const Undo = ({ prompt: { final, undo } }: { prompt: Prompt }) => (
  <p className={final ? styles.final : styles.undo}>
    {final ? <IconAlertTriangle size={16} aria-hidden /> : <IconArrowBackUp size={16} aria-hidden />}
    <span>
      <Said text={undo} />
    </span>
  </p>
);
