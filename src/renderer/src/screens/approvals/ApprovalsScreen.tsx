import { IconReceipt } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import type { ApprovalView, BatchView } from '../../api/call.ts';
import { RelativeTime, TimeLeft } from '../../components/text/RelativeTime.tsx';
import { UntrustedText } from '../../components/text/UntrustedText.tsx';
import {
  formatPromptPart,
  formatTargetTitle,
  formatMainFact,
  formatAskerName,
  formatNameOrigin,
  isWaitingForPerson,
  formatApprovalState,
  isApprovalSettled,
  listBatchedApprovalIds,
  type PendingApproval,
} from './approvalText.ts';
import { formatBatchHeading, filterTickedRows, formatTotalsBriefly, sumRowFees } from './batch/batchRows.ts';
import { formatMoneyLabel, formatFeeBriefly } from './PromptFacts.tsx';
import { t } from '../../i18n.ts';
import { CorePicture } from '../../components/CorePicture.tsx';
import styles from './approvalRow.module.css';
import { Link } from 'wouter';
import { useAppState, useAssistantList, useBatchList, useOpenApprovals } from '../../api/queries.ts';
import { NoticeList } from '../../app/NoticeBar.tsx';
import { PairingLines } from '../assistants/PairingLines.tsx';
import { EmptyScreen, ScreenPage } from '../../components/ScreenPage.tsx';
import { usePromptControls, useUnseenAlarms, usePendingApprovals } from './usePrompts.ts';
import { useRowKeys } from '../../components/lists/useRowKeys.ts';
import { RecordSection } from './record/RecordSection.tsx';

const ApprovalTimeLeft = ({ until }: { until: number }) => (
  <TimeLeft until={until} everyMs={5_000} className={styles.left} />
);

/** Null if the approval has no listing, for example an approval of extras. */
type RowTarget = Pick<NonNullable<ApprovalView['prompt']['target']>, 'photoUrl'> | null;

const ApprovalRowPicture = ({ target }: { target: RowTarget }) => {
  if (target === null)
    return (
      <span className={styles.sign}>
        <IconReceipt size={24} aria-hidden />
      </span>
    );
  return target.photoUrl === null ? (
    <span className={styles.noPhoto} />
  ) : (
    <CorePicture src={target.photoUrl} alt="" width={48} height={48} />
  );
};

type BaseRowProps = {
  target: RowTarget;
  act: string;
  title: string | null;
  mainFact: string | null;
  asked: Pick<ApprovalView, 'by' | 'askedAt'> & { quiet?: boolean };
  /** The label keeps the person from mistaking the fee for the price of the listing. */
  feeName: string;
  fee: string;
  state: string;
  end: ReactNode;
  onShow: () => void;
};

const BaseApprovalRow = ({ target, act, title, mainFact, asked, feeName, fee, state, end, onShow }: BaseRowProps) => (
  <li>
    <button type="button" data-row className={styles.row} onClick={onShow}>
      <ApprovalRowPicture target={target} />
      <span className={styles.what}>
        <span>
          <b>
            <UntrustedText text={act} fold={10_000} flag={false} />
          </b>
          {title !== null && (
            <>
              {' · '}
              <UntrustedText text={title} fold={10_000} flag={false} />
            </>
          )}
        </span>
        {mainFact !== null && (
          <span className={styles.fact}>
            <UntrustedText text={mainFact} fold={10_000} flag={false} />
          </span>
        )}
        <span className={styles.soft}>
          <UntrustedText text={formatAskerName(asked)} fold={10_000} flag={false} /> ·{' '}
          {asked.by.kind === 'assistant' && `${formatNameOrigin(asked)} · `}
          <RelativeTime at={asked.askedAt} />
        </span>
      </span>
      <span className={styles.end}>
        {fee !== '' && (
          <span>
            <span className={styles.feeName}>{feeName}</span> <b>{fee}</b>
          </span>
        )}
        <span data-state={state} className={styles.state}>
          {end}
        </span>
      </span>
    </button>
  </li>
);

const renderApprovalState = (approval: ApprovalView): ReactNode => {
  if (approval.differences.length > 0) return t('approvals.differs.short');
  return isWaitingForPerson(approval) ? <ApprovalTimeLeft until={approval.expiresAt} /> : formatApprovalState(approval);
};

export const SingleApprovalRow = ({ approval, onShow }: { approval: ApprovalView; onShow: (id: string) => void }) => (
  <BaseApprovalRow
    target={approval.prompt.target}
    act={formatPromptPart(approval.prompt, 'act')}
    title={approval.prompt.target && formatTargetTitle(approval.prompt)}
    mainFact={formatMainFact(approval.prompt)}
    asked={approval}
    feeName={formatMoneyLabel(approval.prompt.money)}
    fee={formatFeeBriefly(approval.prompt.money)}
    state={approval.differences.length > 0 ? 'differs' : approval.state}
    end={renderApprovalState(approval)}
    onShow={() => onShow(approval.approvalId)}
  />
);

export const PendingBatchRow = ({ batch, onShow }: { batch: BatchView; onShow: (id: string) => void }) => {
  const untickedIds = usePromptControls().offOf(batch);
  const first = batch.rows.find(({ approval }) => approval !== null)?.approval;
  return (
    <BaseApprovalRow
      target={first?.prompt.target ?? { photoUrl: null }}
      act={formatBatchHeading(batch, untickedIds)}
      title={null}
      mainFact={null}
      asked={batch}
      feeName={t('approvals.fees.total')}
      fee={formatTotalsBriefly(sumRowFees(filterTickedRows(batch.rows, untickedIds)))}
      state="pending"
      end={first ? <ApprovalTimeLeft until={first.expiresAt} /> : ''}
      onShow={() => onShow(batch.batchId)}
    />
  );
};

const toSinglePendingApproval = (approval: ApprovalView): PendingApproval => ({
  kind: 'one',
  id: approval.approvalId,
  approval,
});

const PendingApprovalSection = ({ name, entries }: { name: string; entries: readonly PendingApproval[] }) => {
  const { show, showBatch } = usePromptControls();
  if (entries.length === 0) return null;
  return (
    <section aria-label={name}>
      <h2>{name}</h2>
      <ul className={styles.list}>
        {entries.map((entry) =>
          entry.kind === 'one' ? (
            <SingleApprovalRow key={entry.id} approval={entry.approval} onShow={show} />
          ) : (
            <PendingBatchRow key={entry.id} batch={entry.batch} onShow={showBatch} />
          ),
        )}
      </ul>
    </section>
  );
};

export const ApprovalsScreen = () => {
  const open = useOpenApprovals().data;
  const batches = useBatchList().data;
  const alarms = useUnseenAlarms();
  const pending = usePendingApprovals();
  const state = useAppState().data;
  useRowKeys();
  const isPairing = (useAssistantList().data?.pairings.length ?? 0) > 0;
  if (!open || !batches) return <ScreenPage title={t('approvals.title')} />;
  const batchedIds = listBatchedApprovalIds(batches);
  const unsettled = open.filter(
    (candidate) =>
      !isWaitingForPerson(candidate) && !isApprovalSettled(candidate) && !batchedIds.has(candidate.approvalId),
  );
  return (
    <ScreenPage title={t('approvals.title')} wide>
      {isPairing && <PairingLines />}
      {pending.length === 0 && alarms.length === 0 && !isPairing && (
        <EmptyScreen title={t('approvals.emptyTitle')}>
          <p>{t('approvals.empty')}</p>
          <Link href="/">{t('approvals.firstStep')}</Link>
        </EmptyScreen>
      )}
      <PendingApprovalSection name={t('approvals.differs.several')} entries={alarms.map(toSinglePendingApproval)} />
      <PendingApprovalSection name={t('approvals.waiting')} entries={pending} />
      <PendingApprovalSection name={t('approvals.unsettled')} entries={unsettled.map(toSinglePendingApproval)} />
      {state && <NoticeList state={state} />}
      <RecordSection />
    </ScreenPage>
  );
};
