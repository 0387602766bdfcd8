import { type Change, type ApprovalView, performRequest } from '../../api/call.ts';
import { ChangedText, computeWordDiff, type DiffPart } from '../../components/text/ChangedText.tsx';
import { UntrustedText } from '../../components/text/UntrustedText.tsx';
import { formatEnglishMessage } from '../../../../i18n/english.ts';
import type { Message } from '../../../../i18n/message.ts';
import { t, translateMessage } from '../../i18n.ts';
import { formatFactLabel } from './PromptFacts.tsx';
import tables from './tables.module.css';
import { Button } from '@mantine/core';
import { IconAlertTriangle } from '@tabler/icons-react';
import { useMutation } from '@tanstack/react-query';
import { ErrorLine } from '../../components/ScreenPage.tsx';
import { isPublishRoute } from './approvalText.ts';
import { useOpenPendingPrompt } from './usePrompts.ts';

/** A sentence describes an empty value, for example "removes all item specifics". */
const formatChangedValue = (says: Message | undefined, value: string): string =>
  says && value === '' ? translateMessage(says, formatEnglishMessage(says)) : translateMessage(says, value);

const ChangedValueText = ({ parts, mark }: { parts: readonly DiffPart[]; mark: 'del' | 'ins' }) =>
  parts.length === 0 ? <i>{t('approvals.change.nothing')}</i> : <ChangedText parts={parts} mark={mark} />;

const ChangedFieldName = ({ change }: { change: Change }) =>
  change.foreign && !change.labelSays ? (
    <code className={tables.foreign}>
      <UntrustedText text={change.label} fold={120} />
    </code>
  ) : (
    <UntrustedText text={formatFactLabel(change)} fold={120} />
  );

const FieldChangeRow = ({ change }: { change: Change }) => {
  const diff = computeWordDiff(
    formatChangedValue(change.says?.before, change.before),
    formatChangedValue(change.says?.after, change.after),
  );
  const isUnknown = change.says?.before?.key === 'values.unknown';
  return (
    <tr data-foreign={change.foreign || undefined}>
      <th scope="row">
        <ChangedFieldName change={change} />
      </th>
      <td>
        {isUnknown ? (
          <i>{formatChangedValue(change.says?.before, change.before)}</i>
        ) : (
          <ChangedValueText parts={diff.before} mark="del" />
        )}
      </td>
      <td>
        <ChangedValueText parts={diff.after} mark="ins" />
      </td>
    </tr>
  );
};

type ChangesTableProps = {
  changes: readonly Change[];
  caption: string;
  /** The headings of the two value columns. The default is "before" and "after". */
  sides?: readonly [string, string];
};

export const FieldChangesTable = ({ changes, caption, sides }: ChangesTableProps) => (
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
        <FieldChangeRow key={change.key} change={change} />
      ))}
    </tbody>
  </table>
);

const EndListingNowButton = ({ listingId }: { listingId: string }) => {
  const end = useMutation({
    mutationFn: () => performRequest('endListing', { params: { listingId } }),
    onSuccess: useOpenPendingPrompt(),
  });
  return (
    <>
      <div>
        <Button loading={end.isPending} onClick={() => end.mutate()}>
          {t('approvals.differs.endNow')}
        </Button>
      </div>
      <ErrorLine error={end.error} />
    </>
  );
};

export const LiveDifferencesAlarm = ({ approval }: { approval: ApprovalView }) => {
  const { differences, route, prompt } = approval;
  const listingId = prompt.target?.listingId ?? null;
  if (differences.length === 0) return null;
  return (
    <section role="alert" className={tables.alarm}>
      <h3>
        <IconAlertTriangle size={18} aria-hidden />
        {t('approvals.differs.title')}
      </h3>
      <FieldChangesTable
        changes={differences}
        caption={t('approvals.whatChanges')}
        sides={[t('approvals.differs.was'), t('approvals.differs.is')]}
      />
      {isPublishRoute(route) && listingId !== null && <EndListingNowButton listingId={listingId} />}
    </section>
  );
};
