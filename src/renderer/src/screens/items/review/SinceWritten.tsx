import { Button } from '@mantine/core';
import { useId, useState } from 'react';
import { sentenceOf } from '../../../api/call.ts';
import { useWritten } from '../../../api/queries.ts';
import type { Listing } from '../../../api/types.ts';
import { ChangedWords } from '../../../components/text/ChangedWords.tsx';
import { ProblemLine } from '../../../components/ProblemLine.tsx';
import { UntrustedText } from '../../../components/text/UntrustedText.tsx';
import { plainly } from '../../../components/text/untrustedText.ts';
import { useKeys } from '../../../components/useKeys.ts';
import { wordDiff } from '../../../components/text/wordDiff.ts';
import tables from '../../approvals/tables.module.css';
import { changesSince, type Since } from './since.ts';
import type { Save } from './useSaveListing.ts';
import { t } from '../../../i18n/t.ts';
import styles from './review.module.css';

type RowProps = { change: Since; onBack: (() => void) | null };

const Row = ({ change, onBack }: RowProps) => {
  const diff = wordDiff(change.was, change.now);
  const nothing = <i>{t('approvals.change.nothing')}</i>;
  return (
    <tr>
      <th scope="row">
        <UntrustedText text={change.label} />
      </th>
      <td>{change.was === '' ? nothing : <ChangedWords parts={diff.before} mark="del" />}</td>
      <td>{change.now === '' ? nothing : <ChangedWords parts={diff.after} mark="ins" />}</td>
      <td className={styles.back}>
        {onBack && (
          <Button
            size="compact-sm"
            variant="quiet"
            aria-label={t('review.putBackOne', { name: plainly(change.label) })}
            onClick={onBack}
          >
            {t('review.putBack')}
          </Button>
        )}
      </td>
    </tr>
  );
};

const Table = ({ changes, save }: { changes: readonly Since[]; save: Save | null }) => {
  const [refused, setRefused] = useState<string | null>(null);
  const putBack = ({ back }: Since) =>
    back &&
    save &&
    (() => {
      save(back).then(
        () => setRefused(null),
        (error: unknown) => setRefused(sentenceOf(error)),
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
            <Row key={change.field} change={change} onBack={putBack(change)} />
          ))}
        </tbody>
      </table>
    </>
  );
};

/** What is no longer as the writer wrote it, side by side; nothing while all of it is. C shows and hides it. */
export const SinceWritten = ({ listing, save }: { listing: Listing; save: Save | null }) => {
  const [open, setOpen] = useState(false);
  const id = useId();
  const written = useWritten(listing.listingId).data;
  const changes = written ? changesSince(written.listing, listing) : [];
  const some = changes.length > 0;
  useKeys({ c: () => setOpen(some && !open) });
  if (!some) return null;
  return (
    <section aria-label={t('review.changedSince', { count: changes.length })}>
      <Button
        size="compact-sm"
        aria-expanded={open}
        aria-controls={id}
        aria-keyshortcuts="C"
        onClick={() => setOpen(!open)}
      >
        {t('review.changedSince', { count: changes.length })}
      </Button>
      <div id={id}>{open && <Table changes={changes} save={save} />}</div>
    </section>
  );
};
