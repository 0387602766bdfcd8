import { t, translateMessage } from '../../../i18n.ts';
import type { BatchRow, ApprovalView, Change, Fact } from '../../../api/call.ts';
import { ExternalLink } from '../../../components/ExternalLink.tsx';
import { UntrustedText, escapeHiddenText } from '../../../components/text/UntrustedText.tsx';
import { getPromptAction, isContradictedByListing, formatBatchRowTitle } from '../approvalText.ts';
import { ListingItemLink } from '../ItemLink.tsx';
import { type RowState, formatTickLabel, isRowWeak, type BatchGroup } from './batchRows.ts';
import styles from './batch.module.css';
import { FieldChangesTable, LiveDifferencesAlarm } from '../FieldChangesTable.tsx';
import {
  PromptFacts,
  PromptFeeLines,
  PromptFeeTotal,
  QuoteAgeLine,
  findListingFact,
  formatFactLabel,
  formatFeeBriefly,
  formatMoneyLabel,
} from '../PromptFacts.tsx';
import { PromptPhotos } from '../PromptContent.tsx';
import { ActionIcon, Loader } from '@mantine/core';
import { IconAlertTriangle, IconCheck, IconChevronDown, IconInfoCircle, IconMinus } from '@tabler/icons-react';
import { useId, useState, type CSSProperties, type Ref } from 'react';
import { useListingThumbnail } from '../../../api/itemQueries.ts';
import { CorePicture } from '../../../components/CorePicture.tsx';

const namedStates = ['waiting', 'held', 'sending', 'left', 'takenBack'] as const;

const formatRowProblem = ({ problem, approval }: BatchRow): string => {
  const why = problem ?? approval?.outcome;
  return why ? translateMessage(why.says, why.sentence) : t('approvals.batch.refused');
};

const BatchRowState = ({ row, stand }: { row: BatchRow; stand: RowState }) => {
  if (stand === 'problem' || stand === 'failed')
    return (
      <span className={styles.look}>
        <UntrustedText text={formatRowProblem(row)} fold={240} /> <ListingItemLink listingId={row.listingId} />
      </span>
    );
  // In these two states, the sentence compares the answer of the service with the listing.
  if (stand === 'unsure' || stand === 'unchecked')
    return (
      <span className={isContradictedByListing(row.approval) ? styles.look : styles.soft}>
        <UntrustedText text={formatRowProblem(row)} fold={240} />{' '}
        {(stand === 'unchecked' || isContradictedByListing(row.approval)) && (
          <ListingItemLink listingId={row.listingId} />
        )}
      </span>
    );
  if (stand === 'ask' && row.problem)
    return (
      <span className={styles.look}>
        <UntrustedText text={formatRowProblem(row)} fold={240} />
      </span>
    );
  if (stand === 'done')
    return (
      <span className={styles.done}>
        {t(`approvals.batch.stand.${getPromptAction(row.route)}`)}
        {row.approval?.outcome?.url && (
          <>
            {' · '}
            <ExternalLink url={row.approval.outcome.url}>{t('approvals.openListing')}</ExternalLink>
          </>
        )}
      </span>
    );
  const known = namedStates.find((one) => one === stand);
  return known ? <span className={styles.soft}>{t(`approvals.batch.stand.${known}`)}</span> : null;
};

const BatchRowDetails = ({ approval: { prompt } }: { approval: ApprovalView }) => (
  <div className={styles.whole}>
    {prompt.target && prompt.target.photos.length > 0 && <PromptPhotos photos={prompt.target.photos} />}
    {prompt.changes.length > 0 && <FieldChangesTable changes={prompt.changes} caption={t('approvals.whatChanges')} />}
    <PromptFacts prompt={prompt} />
    {prompt.money && (
      <section aria-label={formatMoneyLabel(prompt.money)}>
        <PromptFeeLines money={prompt.money} />
        <PromptFeeTotal money={prompt.money} />
        <QuoteAgeLine money={prompt.money} />
      </section>
    )}
  </div>
);

type BatchRowProps = {
  row: BatchRow;
  group: Pick<BatchGroup, 'act' | 'name'>;
  stand: RowState;
  /** Whether the person has already decided about a row of the batch. */
  answered: boolean;
  ticked: boolean;
  onTick: (on: boolean) => void;
  place?: { at: number; of: number; style: CSSProperties; measure: Ref<HTMLLIElement> };
};

const RowStateIcon = ({ row, stand }: { row: BatchRow; stand: RowState }) => {
  if (stand === 'sending') return <Loader size={16} color="gray" aria-hidden />;
  if (stand === 'done') return <IconCheck size={18} className={styles.done} aria-hidden />;
  if (stand === 'failed' || stand === 'problem' || isContradictedByListing(row.approval))
    return <IconAlertTriangle size={17} className={styles.look} aria-hidden />;
  return stand === 'unsure' || stand === 'unchecked' ? (
    <IconInfoCircle size={18} aria-hidden />
  ) : (
    <IconMinus size={16} aria-hidden />
  );
};

const RowCheckbox = ({ row, group, stand, ticked, onTick, warningsId }: BatchRowProps & { warningsId: string }) =>
  stand === 'ask' ? (
    <label className={styles.tick}>
      <input
        type="checkbox"
        aria-label={formatTickLabel(group, escapeHiddenText(formatBatchRowTitle(row)))}
        aria-describedby={isRowWeak(row) ? warningsId : undefined}
        checked={ticked}
        onChange={(event) => onTick(event.currentTarget.checked)}
      />
    </label>
  ) : (
    <span className={styles.tick}>
      <RowStateIcon row={row} stand={stand} />
    </span>
  );

const formatFieldChange = ({ before, after, says }: Change): string =>
  t('approvals.batch.fromTo', {
    before: translateMessage(says?.before, before),
    after: translateMessage(says?.after, after),
  });
const formatFactValue = (fact: Fact | undefined): string => (fact ? translateMessage(fact.says, fact.value) : '');

const formatNamedChange = (change: Change): string =>
  change.key === 'price' ? formatFieldChange(change) : `${formatFactLabel(change)}: ${formatFieldChange(change)}`;

const summariseBatchRow = ({ prompt: { changes, facts } }: ApprovalView): string =>
  [
    ...changes.map(formatNamedChange),
    ...(changes.length > 0 ? ['condition', 'marketplaceId'] : ['price', 'condition', 'marketplaceId']).map((key) =>
      formatFactValue(findListingFact(facts, key)),
    ),
  ]
    .filter(Boolean)
    .join(' · ');

const UnfoldRowButton = ({
  row,
  whole,
  onWhole,
}: {
  row: BatchRow;
  whole: boolean;
  onWhole: (whole: boolean) => void;
}) => (
  <ActionIcon
    className={styles.unfold}
    aria-label={t('approvals.batch.about', { name: escapeHiddenText(formatBatchRowTitle(row)) })}
    aria-expanded={whole}
    onClick={() => onWhole(!whole)}
  >
    <IconChevronDown size={16} aria-hidden />
  </ActionIcon>
);

const formatWarnings = ({ warnings }: BatchRow): string =>
  warnings.map(({ says, sentence }) => translateMessage(says, sentence)).join(' · ');

const RowWarnings = ({ row, id }: { row: BatchRow; id: string }) => (
  <span className={styles.weak}>
    <IconAlertTriangle size={14} aria-hidden />
    <span>
      <span id={id}>{formatWarnings(row)}</span> <ListingItemLink listingId={row.listingId} />
    </span>
  </span>
);

const RowDescription = ({ row, stand, warningsId }: Pick<BatchRowProps, 'row' | 'stand'> & { warningsId: string }) => (
  <div className={styles.what}>
    <b>
      <UntrustedText text={formatBatchRowTitle(row)} fold={120} />
    </b>
    {row.approval && (
      <span className={styles.soft}>
        <UntrustedText text={summariseBatchRow(row.approval)} fold={120} flag={false} />
      </span>
    )}
    {stand === 'ask' && isRowWeak(row) && <RowWarnings row={row} id={warningsId} />}
    <BatchRowState row={row} stand={stand} />
  </div>
);

/** A row without a prompt has no bound photos, so it shows the photo of its item. */
const RowPhoto = ({ row: { approval, listingId } }: Pick<BatchRowProps, 'row'>) => {
  const thumbnail = useListingThumbnail(approval === null ? listingId : null);
  const url = approval === null ? thumbnail : approval.prompt.target?.photoUrl;
  return url ? <CorePicture src={url} alt="" width={40} height={40} /> : <span className={styles.noPhoto} />;
};

export const BatchRowLine = (props: BatchRowProps) => {
  const { row, stand, place } = props;
  const { approval } = row;
  const [whole, setWhole] = useState(false);
  const warningsId = useId();
  const asksAgain = stand === 'ask' && approval !== null && approval.sinceShown.length > 0;
  return (
    <li
      className={styles.row}
      data-approval={approval?.approvalId}
      data-listing={row.listingId}
      data-off={(stand === 'ask' && !props.ticked) || stand === 'left' || undefined}
      {...(place && {
        ref: place.measure,
        style: place.style,
        'data-index': place.at,
        'aria-posinset': place.at + 1,
        'aria-setsize': place.of,
      })}
    >
      <div className={styles.line}>
        <RowCheckbox {...props} warningsId={warningsId} />
        <RowPhoto row={row} />
        <RowDescription row={row} stand={stand} warningsId={warningsId} />
        <span className={styles.fee}>{approval ? formatFeeBriefly(approval.prompt.money) : ''}</span>
        {approval ? <UnfoldRowButton row={row} whole={whole} onWhole={setWhole} /> : <span />}
      </div>
      {asksAgain && (
        <div className={styles.changed}>
          <FieldChangesTable
            changes={approval.sinceShown}
            caption={t(props.answered ? 'approvals.batch.changed' : 'approvals.sinceLooked')}
          />
        </div>
      )}
      {approval && approval.differences.length > 0 && (
        <div className={styles.whole}>
          <LiveDifferencesAlarm approval={approval} />
        </div>
      )}
      {whole && approval && <BatchRowDetails approval={approval} />}
    </li>
  );
};
