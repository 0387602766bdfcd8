import { useState } from 'react';
import { t } from '../../i18n/t.ts';
import styles from './untrustedText.module.css';
import { escapeHidden, mixedWords } from './untrustedText.ts';

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

type ShowAllProps = { open: boolean; count: number; onOpen: (open: boolean) => void };

/** Unfolds a long text of so many characters, and folds it again. */
export const ShowAll = ({ open, count, onOpen }: ShowAllProps) => (
  <button type="button" className={styles.more} aria-expanded={open} onClick={() => onOpen(!open)}>
    {open ? t('parts.showLess') : t('parts.showAll', { count })}
  </button>
);

/** Says which words of a text mix alphabets, where some do. */
export const Mixed = ({ text }: { text: string }) => {
  const mixed = mixedWords(text);
  if (mixed.length === 0) return null;
  const words = mixed
    .slice(0, 3)
    .map((word) => `“${word}”`)
    .join(', ');
  return <span className={styles.mixed}>{t('parts.mixed', { words })}</span>;
};

type Props = { text: string; fold?: number; flag?: boolean };

/**
 * Text that others wrote, as data: hidden characters written out, words of mixed scripts flagged, long text folded.
 */
export const UntrustedText = ({ text, fold = 400, flag = true }: Props) => {
  const [open, setOpen] = useState(false);
  const long = text.length > fold;
  // Folded by whole characters: half of one would look like something hidden.
  const shown = long && !open ? `${[...text].slice(0, fold).join('')}…` : text;
  return (
    <>
      <span className={styles.untrusted}>
        <Pieces text={shown} />
      </span>
      {long && <ShowAll open={open} count={text.length} onOpen={setOpen} />}
      {flag && <Mixed text={text} />}
    </>
  );
};
