import { type Change, type ApprovalView, sentenceOf, perform } from '../../api/call.ts';
import { ChangedText, wordDiff, type Part } from '../../components/text/ChangedText.tsx';
import { UntrustedText } from '../../components/text/UntrustedText.tsx';
import { formatEnglish } from '../../../../i18n/english.ts';
import type { Message } from '../../../../i18n/message.ts';
import { t, translate } from '../../i18n.ts';
import { labelText } from './Facts.tsx';
import tables from './tables.module.css';
import { Button } from '@mantine/core';
import { IconAlertTriangle } from '@tabler/icons-react';
import { useMutation } from '@tanstack/react-query';
import { ProblemLine } from '../../components/Page.tsx';
import { isPublish } from './approvalText.ts';
import { usePrompts } from './useQuestions.ts';
import styles from './receipt.module.css';

/** Formats one side of a change. An empty value is described instead: "removes all item specifics". */
const sideOf = (says: Message | undefined, value: string): string =>
  says && value === '' ? translate(says, formatEnglish(says)) : translate(says, value);

const Side = ({ parts, mark }: { parts: readonly Part[]; mark: 'del' | 'ins' }) =>
  parts.length === 0 ? <i>{t('approvals.change.nothing')}</i> : <ChangedText parts={parts} mark={mark} />;

/** The label of a field. A field stored without a label shows its raw name. */
const Name = ({ change }: { change: Change }) =>
  change.foreign && !change.labelSays ? (
    <code className={tables.foreign}>
      <UntrustedText text={change.label} fold={120} />
    </code>
  ) : (
    <UntrustedText text={labelText(change)} fold={120} />
  );

const ChangeRow = ({ change }: { change: Change }) => {
  const diff = wordDiff(sideOf(change.says?.before, change.before), sideOf(change.says?.after, change.after));
  // An unknown old value is not marked as deleted.
  const isUnknown = change.says?.before?.key === 'values.unknown';
  return (
    <tr data-foreign={change.foreign || undefined}>
      <th scope="row">
        <Name change={change} />
      </th>
      <td>
        {isUnknown ? <i>{sideOf(change.says?.before, change.before)}</i> : <Side parts={diff.before} mark="del" />}
      </td>
      <td>
        <Side parts={diff.after} mark="ins" />
      </td>
    </tr>
  );
};

type Props = {
  changes: readonly Change[];
  caption: string;
  /** The headings of the two sides; the default is "before" and "after". */
  sides?: readonly [string, string];
};

/** Shows every change in full, before → after. */
export const Changes = ({ changes, caption, sides }: Props) => (
  <table className={tables.changes}>
    <caption>{caption}</caption>
    <thead>
      <tr>
        <th scope="col">{t('approvals.change.what')}</th>
        <th scope="col">{sides?.[0] ?? t('approvals.change.before')}</th>
        <th scope="col">{sides?.[1] ?? t('approvals.change.after')}</th>
      </tr>
    </thead>
    <tbody>
      {changes.map((change) => (
        <ChangeRow key={change.key} change={change} />
      ))}
    </tbody>
  </table>
);

/** Reverts a publish: requests to end the listing, which needs an approval like any end. */
const EndNow = ({ listingId }: { listingId: string }) => {
  const { show } = usePrompts();
  const end = useMutation({
    mutationFn: () => perform('endListing', { params: { listingId } }),
    onSuccess: (performed) => {
      if (performed.state === 'pending') show(performed.approvalId);
    },
  });
  return (
    <>
      <div>
        <Button loading={end.isPending} onClick={() => end.mutate()}>
          {t('approvals.differs.endNow')}
        </Button>
      </div>
      {end.error && <ProblemLine>{sentenceOf(end.error)}</ProblemLine>}
    </>
  );
};

/** The alarm: the live listing differs from what the person approved. */
export const Differences = ({ approval }: { approval: ApprovalView }) => {
  const { differences, route, prompt } = approval;
  const listingId = prompt.target?.listingId ?? null;
  if (differences.length === 0) return null;
  return (
    <section role="alert" className={styles.alarm}>
      <h3>
        <IconAlertTriangle size={18} aria-hidden />
        {t('approvals.differs.title')}
      </h3>
      <Changes
        changes={differences}
        caption={t('approvals.whatChanges')}
        sides={[t('approvals.differs.was'), t('approvals.differs.is')]}
      />
      {isPublish(route) && listingId !== null && <EndNow listingId={listingId} />}
    </section>
  );
};
