import { Button } from '@mantine/core';
import { useState } from 'react';
import { convertHtmlToText } from '../../../../../text/htmlText.ts';
import { getErrorSentence } from '../../../api/call.ts';
import { ChangedText, computeWordDiff } from '../../../components/text/ChangedText.tsx';
import { ProblemLine } from '../../../components/ScreenPage.tsx';
import { t } from '../../../i18n.ts';
import type { SaveListing } from './QueuedEdits.tsx';
import styles from './review.module.css';

type Props = { description: string; replaced: string; save: SaveListing };

export const OldTitleReplacement = ({ description, replaced, save }: Props) => {
  const [refused, setRefused] = useState<string | null>(null);
  const diff = computeWordDiff(convertHtmlToText(description), convertHtmlToText(replaced));
  const replaceTitle = (): void =>
    void save({ description: replaced }).then(
      () => setRefused(null),
      (error: unknown) => setRefused(getErrorSentence(error)),
    );
  return (
    <section aria-label={t('review.oldTitle')} className={styles.oldTitle}>
      <p>{t('review.oldTitle')}</p>
      <p>
        <ChangedText parts={diff.before} mark="del" />
      </p>
      <p>
        <ChangedText parts={diff.after} mark="ins" />
      </p>
      {refused && <ProblemLine>{refused}</ProblemLine>}
      <Button size="compact-sm" onClick={replaceTitle}>
        {t('review.replaceOldTitle')}
      </Button>
    </section>
  );
};
