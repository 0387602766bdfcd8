import { t, translate } from '../../../i18n.ts';
import type { BatchRow, ApprovalView, Change, Fact } from '../../../api/call.ts';
import { ExternalLink } from '../../../components/ExternalLink.tsx';
import { UntrustedText, escapedText } from '../../../components/text/UntrustedText.tsx';
import { actOf, isContradicted, rowTitle } from '../approvalText.ts';
import { ItemLink } from '../ItemLink.tsx';
import { type RowState, tickLabel, type BatchGroup } from './batchRows.ts';
import styles from './batch.module.css';
import { Changes, Differences } from '../Changes.tsx';
import { Facts, labelText, listingFact, Fees, feeText } from '../Facts.tsx';
import { BoundPhotos } from '../Receipt.tsx';
import { ActionIcon, Loader } from '@mantine/core';
import { IconAlertTriangle, IconCheck, IconChevronDown, IconInfoCircle, IconMinus } from '@tabler/icons-react';
import { useState, type CSSProperties, type Ref } from 'react';
import { Picture } from '../../../components/Picture.tsx';

const namedStates = ['waiting', 'held', 'sending', 'left', 'takenBack'] as const;

const whyNot = ({ problem, approval }: BatchRow): string => {
  const why = problem ?? approval?.outcome;
  return why ? translate(why.says, why.sentence) : t('approvals.batch.refused');
};

/** The outcome of one row, or why it cannot be approved. */
const LineStand = ({ row, stand }: { row: BatchRow; stand: RowState }) => {
  if (stand === 'problem' || stand === 'failed')
    return (
      <span className={styles.look}>
        <UntrustedText text={whyNot(row)} fold={240} /> <ItemLink listingId={row.listingId} />
      </span>
    );
  // The sentence tells what the service answered and what reading the listing shows.
  if (stand === 'unsure' || stand === 'unchecked')
    return (
      <span className={isContradicted(row.approval) ? styles.look : styles.soft}>
        <UntrustedText text={whyNot(row)} fold={240} />{' '}
        {(stand === 'unchecked' || isContradicted(row.approval)) && <ItemLink listingId={row.listingId} />}
      </span>
    );
  // The last attempt failed; the row can be approved again.
  if (stand === 'ask' && row.problem)
    return (
      <span className={styles.look}>
        <UntrustedText text={whyNot(row)} fold={240} />
      </span>
    );
  if (stand === 'done')
    return (
      <span className={styles.done}>
        {t(`approvals.batch.stand.${actOf(row.route)}`)}
        {row.approval?.outcome?.url && (
          <>
            {' · '}
            <ExternalLink withHost url={row.approval.outcome.url}>
              {t('approvals.openListing')}
            </ExternalLink>
          </>
        )}
      </span>
    );
  const known = namedStates.find((one) => one === stand);
  return known ? <span className={styles.soft}>{t(`approvals.batch.stand.${known}`)}</span> : null;
};

/** Everything that the approval of one row covers; shown when the row is unfolded. */
const WholeLine = ({ approval: { prompt } }: { approval: ApprovalView }) => (
  <div className={styles.whole}>
    {prompt.target && <BoundPhotos photos={prompt.target.photos} />}
    <Facts prompt={prompt} />
    {prompt.changes.length > 0 && <Changes changes={prompt.changes} caption={t('approvals.whatChanges')} />}
    {prompt.money && <Fees money={prompt.money} />}
  </div>
);

type Props = {
  row: BatchRow;
  group: Pick<BatchGroup, 'act' | 'name'>;
  stand: RowState;
  ticked: boolean;
  onTick: (on: boolean) => void;
  place?: { at: number; of: number; style: CSSProperties; measure: Ref<HTMLLIElement> };
};

const Mark = ({ row, stand }: { row: BatchRow; stand: RowState }) => {
  if (stand === 'sending') return <Loader size={16} color="gray" aria-hidden />;
  if (stand === 'done') return <IconCheck size={18} className={styles.done} aria-hidden />;
  if (stand === 'failed' || stand === 'problem' || isContradicted(row.approval))
    return <IconAlertTriangle size={17} className={styles.look} aria-hidden />;
  return stand === 'unsure' || stand === 'unchecked' ? (
    <IconInfoCircle size={18} aria-hidden />
  ) : (
    <IconMinus size={16} aria-hidden />
  );
};

const Tick = ({ row, group, stand, ticked, onTick }: Props) =>
  stand === 'ask' ? (
    <label className={styles.tick}>
      <input
        type="checkbox"
        aria-label={tickLabel(group, escapedText(rowTitle(row)))}
        checked={ticked}
        onChange={(event) => onTick(event.currentTarget.checked)}
      />
    </label>
  ) : (
    <span className={styles.tick}>
      <Mark row={row} stand={stand} />
    </span>
  );

const changeText = ({ before, after, says }: Change): string =>
  t('approvals.batch.fromTo', { before: translate(says?.before, before), after: translate(says?.after, after) });
const factText = (fact: Fact | undefined): string => (fact ? translate(fact.says, fact.value) : '');

/** Formats a change with its label. A price needs no label. */
const namedChange = (change: Change): string =>
  change.key === 'price' ? changeText(change) : `${labelText(change)}: ${changeText(change)}`;

/** Summarises a row: its changes or else its price, then the condition and the site. */
const summaryOf = ({ prompt: { changes, facts } }: ApprovalView): string =>
  [
    ...changes.map(namedChange),
    ...(changes.length > 0 ? ['condition', 'marketplaceId'] : ['price', 'condition', 'marketplaceId']).map((key) =>
      factText(listingFact(facts, key)),
    ),
  ]
    .filter(Boolean)
    .join(' · ');

const Unfold = ({ row, whole, onWhole }: { row: BatchRow; whole: boolean; onWhole: (whole: boolean) => void }) => (
  <ActionIcon
    className={styles.unfold}
    aria-label={t('approvals.batch.about', { name: escapedText(rowTitle(row)) })}
    aria-expanded={whole}
    onClick={() => onWhole(!whole)}
  >
    <IconChevronDown size={16} aria-hidden />
  </ActionIcon>
);

/** The title, the summary and the state of a row. */
const What = ({ row, stand }: Pick<Props, 'row' | 'stand'>) => (
  <div className={styles.what}>
    <b>
      <UntrustedText text={rowTitle(row)} fold={120} />
    </b>
    {row.approval && (
      <span className={styles.soft}>
        <UntrustedText text={summaryOf(row.approval)} fold={120} flag={false} />
      </span>
    )}
    <LineStand row={row} stand={stand} />
  </div>
);

/** One row of a batch: its checkbox or outcome, its title and its fee. */
export const BatchLine = (props: Props) => {
  const { row, stand, place } = props;
  const { approval } = row;
  const [whole, setWhole] = useState(false);
  const photoUrl = approval?.prompt.target?.photoUrl;
  const asksAgain = stand === 'ask' && approval !== null && approval.sinceShown.length > 0;
  return (
    <li
      className={styles.row}
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
        <Tick {...props} />
        {photoUrl ? <Picture src={photoUrl} alt="" width={40} height={40} /> : <span className={styles.noPhoto} />}
        <What row={row} stand={stand} />
        <span className={styles.fee}>{approval ? feeText(approval.prompt.money) : ''}</span>
        {approval ? <Unfold row={row} whole={whole} onWhole={setWhole} /> : <span />}
      </div>
      {asksAgain && (
        <div className={styles.changed}>
          <Changes changes={approval.sinceShown} caption={t('approvals.batch.changed')} />
        </div>
      )}
      {approval && approval.differences.length > 0 && (
        <div className={styles.whole}>
          <Differences approval={approval} />
        </div>
      )}
      {whole && approval && <WholeLine approval={approval} />}
    </li>
  );
};
