import { Textarea, type TextareaProps } from '@mantine/core';
import styles from './growingTextarea.module.css';

export type GrowingTextareaProps = Omit<TextareaProps, 'autosize' | 'rows' | 'classNames' | 'style'> & {
  inputClass?: string;
};

/** A text area that grows with its text from `minRows` to `maxRows` lines. The browser sizes it, without scripts. */
export const GrowingTextarea = ({ minRows = 1, maxRows = 100, inputClass = '', ...input }: GrowingTextareaProps) => (
  <Textarea
    {...input}
    rows={Number(minRows)}
    classNames={{ input: `${styles.growing} ${inputClass}` }}
    style={{ '--min-rows': minRows, '--max-rows': maxRows }}
  />
);
