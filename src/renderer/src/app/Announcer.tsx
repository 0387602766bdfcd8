import { useEffect, useState } from 'react';
import { useSettledItems } from '../api/itemQueries.ts';
import { plainly } from '../parts/untrustedText.ts';
import { translate } from '../i18n/language.ts';
import styles from './frame.module.css';

/** Says to a screen reader what has become ready, gone live or stopped; what merely moves stays quiet. */
export const Announcer = () => {
  const settled = useSettledItems()?.items;
  const [words, setWords] = useState('');
  useEffect(() => {
    const news = (settled ?? []).map(
      (item) => `${plainly(item.title ?? item.name)}: ${translate(item.says, item.words)}`,
    );
    if (news.length > 0) setWords(news.join('. '));
  }, [settled]);
  return (
    <div className={styles.unseen} aria-live="polite">
      {words}
    </div>
  );
};
