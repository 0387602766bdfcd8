import { IconAlertTriangle, IconArrowBackUp } from '@tabler/icons-react';
import type { Prompt } from '../../api/types.ts';
import { UntrustedText } from '../../parts/UntrustedText.tsx';
import { asked } from '../../parts/promptWords.ts';
import styles from './receipt.module.css';

/** Whether and how the act can be undone. */
export const Undo = ({ prompt }: { prompt: Prompt }) => (
  <p className={prompt.final ? styles.final : styles.undo}>
    {prompt.final ? <IconAlertTriangle size={16} aria-hidden /> : <IconArrowBackUp size={16} aria-hidden />}
    <span>
      <UntrustedText text={asked(prompt, 'undo')} />
    </span>
  </p>
);
