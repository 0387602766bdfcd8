import { Button } from '@mantine/core';
import { useEffect, useEffectEvent, useState } from 'react';
import { convertHtmlToText } from '../../../../../text/htmlText.ts';
import { getErrorSentence } from '../../../api/call.ts';
import { ChangedText, computeWordDiff } from '../../../components/text/ChangedText.tsx';
import { ProblemLine } from '../../../components/ScreenPage.tsx';
import { UntrustedText, escapeHiddenText } from '../../../components/text/UntrustedText.tsx';
import { t } from '../../../i18n.ts';
import tables from '../../approvals/tables.module.css';
import type { ListingEdits, SaveListing } from './QueuedEdits.tsx';
import styles from './review.module.css';

/**
 * A field that has changed since the listing was written. `back` restores the old value; null if that is impossible.
 */
export type WrittenChange = {
  field: string;
  label: string;
  was: string;
  now: string;
  isHtml: boolean;
  back: ListingEdits | null;
};

/** HTML is shown as its visible text, unless only its tags have changed. */
export const readShownTexts = ({ was, now, isHtml }: WrittenChange): { was: string; now: string } => {
  if (!isHtml) return { was, now };
  const texts = { was: convertHtmlToText(was), now: convertHtmlToText(now) };
  return texts.was === texts.now ? { was, now } : texts;
};

type RowProps = { change: WrittenChange; onBack: (() => void) | null };

const WrittenChangeRow = ({ change, onBack }: RowProps) => {
  const { was, now } = readShownTexts(change);
  const diff = computeWordDiff(was, now);
  const nothing = <i>{t('approvals.change.nothing')}</i>;
  return (
    <tr>
      <th scope="row">
        <UntrustedText text={change.label} />
      </th>
      <td>{was === '' ? nothing : <ChangedText parts={diff.before} mark="del" />}</td>
      <td>{now === '' ? nothing : <ChangedText parts={diff.after} mark="ins" />}</td>
      <td>
        {onBack && (
          <Button
            size="compact-sm"
            variant="quiet"
            aria-label={t('review.putBackOne', { name: escapeHiddenText(change.label) })}
            onClick={onBack}
          >
            {t('review.putBack')}
          </Button>
        )}
      </td>
    </tr>
  );
};

type Props = { changes: readonly WrittenChange[]; save: SaveListing | null; onShown: () => void };

export const WrittenChangesTable = ({ changes, save, onShown }: Props) => {
  const onFirstShown = useEffectEvent(onShown);
  useEffect(() => {
    onFirstShown();
  }, []);
  const [refused, setRefused] = useState<string | null>(null);
  const createRestoreHandler = ({ back }: WrittenChange) =>
    back &&
    save &&
    (() => {
      save(back).then(
        () => setRefused(null),
        (error: unknown) => setRefused(getErrorSentence(error)),
      );
    });
  return (
    <>
      {refused && <ProblemLine>{refused}</ProblemLine>}
      <table className={`${tables.changes} ${styles.since}`}>
        <thead>
          <tr>
            <th scope="col">{t('approvals.change.what')}</th>
            <th scope="col">{t('review.wasWritten')}</th>
            <th scope="col">{t('review.standsNow')}</th>
            <td />
          </tr>
        </thead>
        <tbody>
          {changes.map((change) => (
            <WrittenChangeRow key={change.field} change={change} onBack={createRestoreHandler(change)} />
          ))}
        </tbody>
      </table>
    </>
  );
};
