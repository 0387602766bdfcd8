import { Fragment, type ReactNode } from 'react';
import { useLocation } from 'wouter';
import { getScreenAt } from '../../../ipc/screens.ts';
import type { AppState, BatchView } from '../api/call.ts';
import { useAssistantList, useBatchList, useOpenApprovals, usePageOffers } from '../api/queries.ts';
import { t } from '../i18n.ts';
import { isInUndoWindow, listBatchedApprovalIds, type PendingApproval } from '../screens/approvals/approvalText.ts';
import { usePendingApprovals, usePromptControls, useUnseenAlarms } from '../screens/approvals/usePrompts.ts';
import { LostProofBanner, ProofOfferBanner, RecoveryBanner, useProofNotice } from './ProofBanners.tsx';
import {
  AcknowledgeBanner,
  AsksBanner,
  BatchBanner,
  DifferenceAlarm,
  OfflineBanner,
  PageOfferBanner,
  PairingBanner,
  PausedBanner,
  ReadOnlyBanner,
  ReconnectBanner,
  UndoApprovalBanner,
  formatLedgerAlarm,
  formatRepairText,
} from './StatusBanners.tsx';
import { NoticeFormContext } from './TopLineBanner.tsx';

type AsksNotice = { entry: PendingApproval; more: number };

/**
 * Returns the first approval that the person has not opened, or the first waiting batch. Like the count in the sidebar,
 * `more` includes approvals that the person closed without an answer.
 */
const useAsksNotice = (): AsksNotice | null => {
  const { unseen, open } = usePromptControls();
  const all = usePendingApprovals();
  const unseenIds = new Set(unseen.map(({ id }) => id));
  const entry = all.find(
    (one) => one.id !== open?.id && (unseenIds.has(one.id) || (one.kind === 'batch' && one.batch.state === 'waiting')),
  );
  return entry ? { entry, more: all.length - 1 } : null;
};

const useApprovalNotices = () => {
  const { open } = usePromptControls();
  const approvals = useOpenApprovals().data ?? [];
  const batches = useBatchList().data ?? [];
  const together = listBatchedApprovalIds(batches);
  const isShownElsewhere = (id: string): boolean => id !== open?.id;
  return {
    alarms: useUnseenAlarms().filter(({ approvalId }) => isShownElsewhere(approvalId)),
    undos: approvals.filter(
      (one) => isInUndoWindow(one) && !together.has(one.approvalId) && isShownElsewhere(one.approvalId),
    ),
    batches: batches.filter(({ batchId, state }) => state !== 'waiting' && isShownElsewhere(batchId)),
  };
};

/** The message about the repair already explains this alarm. */
const isRepairAlarm = ({ repaired, ledgerAlarm }: AppState): boolean =>
  repaired !== null && ledgerAlarm?.kind === 'rolledBack';

type Notice = {
  key: string;
  node: ReactNode;
  /** The number of things that the notice stands for; 1 by default. */
  count?: number;
  /** True if the Approvals screen lists these things in a section of their own. */
  isListed?: boolean;
};

const listStateNotices = (state: AppState): (Notice | false)[] => [
  state.readOnly !== null && {
    key: 'readOnly',
    node: <ReadOnlyBanner problem={state.readOnly} progress={state.checkProgress} />,
  },
  state.connection === 'reconnect' && { key: 'reconnect', node: <ReconnectBanner /> },
  state.offline !== null && { key: 'offline', node: <OfflineBanner /> },
  state.repaired !== null && {
    key: 'repaired',
    node: (
      <AcknowledgeBanner call="backups.repairSeen" topics={['app']}>
        {formatRepairText(state.repaired)}
      </AcknowledgeBanner>
    ),
  },
];

const listLedgerNotices = (state: AppState): Notice[] =>
  state.ledgerAlarm && !isRepairAlarm(state)
    ? [
        {
          key: 'ledger',
          node: (
            <AcknowledgeBanner call="history.acknowledge" topics={['app', 'approvals']}>
              {formatLedgerAlarm(state.ledgerAlarm)}
            </AcknowledgeBanner>
          ),
        },
      ]
    : [];

const toBatchNotice = (batch: BatchView): Notice => ({
  key: batch.batchId,
  node: <BatchBanner batch={batch} />,
});

/**
 * Returns what the person should know, most urgent first. What an assistant can cause never stands before an alarm or a
 * recovery of the proofs, so that it cannot hide them.
 */
const useNotices = (state: AppState): Notice[] => {
  const { alarms, undos, batches } = useApprovalNotices();
  const proof = useProofNotice(state.connection === 'connected');
  const pairings = useAssistantList().data?.pairings.length ?? 0;
  const offers = usePageOffers().data?.length ?? 0;
  const asks = useAsksNotice();
  const isHeldBatch = (batch: BatchView): boolean => batch.state === 'held';
  const notices: (Notice | false)[] = [
    // An undo window lasts only seconds.
    ...undos.map((one) => ({ key: one.approvalId, node: <UndoApprovalBanner approval={one} /> })),
    ...batches.filter(isHeldBatch).map(toBatchNotice),
    ...alarms.map((one) => ({ key: one.approvalId, node: <DifferenceAlarm approval={one} />, isListed: true })),
    ...listLedgerNotices(state),
    proof?.kind === 'recovery' && { key: 'recovery', node: <RecoveryBanner leftMs={proof.leftMs} /> },
    pairings > 0 && { key: 'pairing', node: <PairingBanner />, count: pairings, isListed: true },
    asks !== null && { key: 'asks', node: <AsksBanner entry={asks.entry} />, count: asks.more + 1, isListed: true },
    proof?.kind === 'lost' && { key: 'lost', node: <LostProofBanner /> },
    ...listStateNotices(state),
    ...batches.filter((batch) => !isHeldBatch(batch)).map(toBatchNotice),
    state.paused && { key: 'paused', node: <PausedBanner /> },
    offers > 0 && { key: 'offer', node: <PageOfferBanner /> },
    // The person sees the tour before this offer.
    proof?.kind === 'offer' && state.settings.tourSeen && { key: 'proofOffer', node: <ProofOfferBanner /> },
  ];
  return notices.filter((notice) => notice !== false);
};

/** Shows the most urgent notice, unless the screen itself shows it: Approvals shows all, Assistants the pairings. */
export const NoticeBar = ({ state }: { state: AppState }) => {
  const [path] = useLocation();
  const { id } = getScreenAt(path);
  const [first, ...others] = useNotices(state).filter(({ key }) => id !== 'assistants' || key !== 'pairing');
  if (!first || id === 'approvals') return null;
  const more = (first.count ?? 1) - 1 + others.reduce((sum, { count = 1 }) => sum + count, 0);
  return (
    <NoticeFormContext value={{ kind: 'bar', more }}>
      <Fragment key={first.key}>{first.node}</Fragment>
    </NoticeFormContext>
  );
};

/** Shows in full all notices that the Approvals screen does not list elsewhere. */
export const NoticeList = ({ state }: { state: AppState }) => {
  const notices = useNotices(state).filter(({ isListed = false }) => !isListed);
  if (notices.length === 0) return null;
  return (
    <section aria-label={t('app.line.all')}>
      {notices.map(({ key, node }) => (
        <Fragment key={key}>{node}</Fragment>
      ))}
    </section>
  );
};
