import { Button } from '@mantine/core';
import { useState } from 'react';
import { convertHtmlToText } from '../../../../../text/htmlText.ts';
import { replaceOldTitles } from '../../../../../text/oldTitles.ts';
import { getErrorSentence, type Listing } from '../../../api/call.ts';
import { useOriginalListing } from '../../../api/queries.ts';
import { ChangedText, computeWordDiff } from '../../../components/text/ChangedText.tsx';
import { ProblemLine } from '../../../components/ScreenPage.tsx';
import { t } from '../../../i18n.ts';
import type { SaveListing } from './QueuedEdits.tsx';
import styles from './review.module.css';

const earlierTitles = new Map<string, string[]>();

/** Remembers a title that an edit replaces, until the window closes. */
export const rememberEarlierTitle = (listingId: string, title: string | null | undefined): void => {
  const known = readEarlierTitles(listingId);
  if (title && !known.includes(title)) earlierTitles.set(listingId, [...known, title]);
};

export const readEarlierTitles = (listingId: string): readonly string[] => earlierTitles.get(listingId) ?? [];

/** Offers to replace a former title that the description still contains. Nothing changes until the person accepts. */
export const OldTitleOffer = ({ listing, save }: { listing: Listing; save: SaveListing }) => {
  const [refused, setRefused] = useState<string | null>(null);
  const written = useOriginalListing(listing.listingId).data?.listing?.title;
  const { title, description } = listing;
  if (!title || !description) return null;
  const earlier = readEarlierTitles(listing.listingId);
  const replaced = replaceOldTitles(description, written ? [written, ...earlier] : earlier, title);
  if (replaced === description) return null;
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
