import { useState } from 'react';
import { t } from '../i18n/t.ts';
import styles from './said.module.css';
import { escapeHidden, mixedWords } from './said.ts';

const Pieces = ({ text }: { text: string }) =>
  escapeHidden(text).map((piece, at) =>
    piece.escaped ? (
      <mark key={at} className={styles.hidden} title={t('parts.hidden')}>
        {piece.text}
      </mark>
    ) : (
      <bdi key={at}>{piece.text}</bdi>
    ),
  );

type Props = { text: string; fold?: number; flag?: boolean };

/**
 * Text that others wrote, as data: hidden characters written out, words of mixed scripts flagged, long text folded.
 */
export const Said = ({ text, fold = 400, flag = true }: Props) => {
  const [open, setOpen] = useState(false);
  const long = text.length > fold;
  // Folded by whole characters: half of one would look like something hidden.
  const shown = long && !open ? `${[...text].slice(0, fold).join('')}…` : text;
  const mixed = flag ? mixedWords(text) : [];
  return (
    <>
      <span className={styles.said}>
        <Pieces text={shown} />
      </span>
      {long && (
        <button type="button" className={styles.more} aria-expanded={open} onClick={() => setOpen(!open)}>
          {open ? t('parts.showLess') : t('parts.showAll', { count: text.length })}
        </button>
      )}
      {mixed.length > 0 && (
        <span className={styles.mixed}>
          {t('parts.mixed', {
            words: mixed
              .slice(0, 3)
              .map((word) => `“${word}”`)
              .join(', '),
          })}
        </span>
      )}
    </>
  );
};
