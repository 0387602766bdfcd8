import { Button } from '@mantine/core';
import { useState } from 'react';
import { convertHtmlToText } from '../../../../../text/htmlText.ts';
import { getErrorSentence, type Listing } from '../../../api/call.ts';
import { useOriginalListing } from '../../../api/queries.ts';
import { ChangedText, computeWordDiff } from '../../../components/text/ChangedText.tsx';
import { ProblemLine } from '../../../components/ScreenPage.tsx';
import { t } from '../../../i18n.ts';
import type { SaveListing } from './QueuedEdits.tsx';
import styles from './review.module.css';

/** A former title of one word is not searched for, because the word often stands in a description by itself. */
const isDistinctTitle = (title: string): boolean => /\S\s+\S/u.test(title.trim());

const entities: Readonly<Record<string, string>> = {
  '&': '&(?:amp;)?',
  '<': '&lt;',
  '>': '(?:&gt;|>)',
  '"': '(?:&quot;|")',
  "'": "(?:&#39;|&apos;|')",
  ' ': '(?:\\s|&nbsp;)+',
};

/** Returns a pattern that finds the text in HTML, where a character can be an entity. */
const buildHtmlPattern = (text: string): string =>
  [...text.trim().replace(/\s+/gu, ' ')]
    .map((char) => entities[char] ?? char.replace(/[$()*+./?[\\\]^{|}-]/u, '\\$&'))
    .join('');

const escapeHtml = (text: string): string =>
  text.replace(/[&<>]/g, (char) => (char === '&' ? '&amp;' : char === '<' ? '&lt;' : '&gt;'));

/** Replaces former titles in a description, an HTML text, by the title. Tags stay as they are. */
export const replaceOldTitles = (description: string, former: readonly string[], title: string): string => {
  const old = former.filter((one) => one.trim() !== title.trim() && isDistinctTitle(one));
  if (old.length === 0) return description;
  // The longest title first: a title can contain another one.
  const titles = [title, ...old].toSorted((one, other) => other.length - one.length).map(buildHtmlPattern);
  const found = new RegExp(`<[^>]*>|(?<![\\p{L}\\p{N}])(?:${titles.join('|')})(?![\\p{L}\\p{N}])`, 'gu');
  const isTitle = new RegExp(`^${buildHtmlPattern(title)}$`, 'u');
  return description.replace(found, (match) =>
    match.startsWith('<') || isTitle.test(match) ? match : escapeHtml(title.trim()),
  );
};

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
