import { useEffect, useRef, useState } from 'react';
import { useItems } from '../api/queries.ts';
import { plainly } from '../parts/untrustedText.ts';
import { translate } from '../i18n/language.ts';
import styles from './frame.module.css';

const said = new Set(['review', 'live', 'ended']);

/** Says to a screen reader what has become ready, gone live or stopped; what merely moves stays quiet. */
export const Announcer = () => {
  const items = useItems().data;
  const before = useRef(new Map<string, string>());
  const [words, setWords] = useState('');
  useEffect(() => {
    const first = before.current.size === 0;
    const news: string[] = [];
    for (const item of items ?? []) {
      const state = item.stop ? `stopped ${item.stop.code}` : item.step;
      const worthSaying = item.stop !== null || said.has(item.step);
      if (!first && worthSaying && before.current.get(item.itemId) !== state)
        news.push(`${plainly(item.title ?? item.name)}: ${translate(item.says, item.words)}`);
      before.current.set(item.itemId, state);
    }
    if (news.length > 0) setWords(news.join('. '));
  }, [items]);
  return (
    <div className={styles.unseen} aria-live="polite">
      {words}
    </div>
  );
};
