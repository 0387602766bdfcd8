import {
  IconAlertTriangle,
  IconHourglass,
  IconReceipt,
  IconExternalLink,
  IconPlayerPause,
  IconPlugConnectedX,
  IconRobot,
} from '@tabler/icons-react';
import { type ReactNode, useEffect, useState } from 'react';
import styles from './frame.module.css';
import { useRestart } from '../api/start.ts';
import { TopLineBanner } from './TopLineBanner.tsx';
import { useLocation } from 'wouter';
import { Trans } from 'react-i18next';
import { useAssistantList, usePageOffers, usePauseAll } from '../api/queries.ts';
import { type ApprovalView, type BatchView, type AppState, callCore, getErrorSentence } from '../api/call.ts';
import { countSecondsLeft, useTimeLeft } from '../components/text/RelativeTime.tsx';
import { escapeHiddenText, UntrustedText } from '../components/text/UntrustedText.tsx';
import {
  formatPromptPart,
  formatTargetTitle,
  getUndoWindowAction,
  formatAskerName,
  formatNameOrigin,
  type PendingApproval,
} from '../screens/approvals/approvalText.ts';
import {
  formatBatchActions,
  listCountedRows,
  groupRowsByRoute,
  formatBatchCountdown,
  formatBatchOutcome,
} from '../screens/approvals/batch/batchRows.ts';
import { useBatchPromptActions } from '../screens/approvals/batch/useBatches.ts';
import { dialogExits, usePromptControls, useApprovalDecision } from '../screens/approvals/usePrompts.ts';
import { ConnectDialog } from '../screens/connect/lazyConnectDialog.ts';
import { t, translateMessage } from '../i18n.ts';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { formatTime } from '../components/text/format.ts';

const doNothing = (): void => undefined;

const createNameComponents = (by: ApprovalView['by']) => ({
  name: <UntrustedText text={formatAskerName({ by })} fold={60} flag={false} />,
});

/** Without the origin, the person could mistake the name for a text of the companion. */
const AskerNameOrigin = (asked: Pick<ApprovalView, 'by'> & { quiet?: boolean }) => (
  <span className={styles.nameOrigin}>{formatNameOrigin(asked)}</span>
);

const AskingApprovalText = ({ approval: { by, quiet } }: { approval: ApprovalView }) =>
  by.kind === 'person' ? (
    t('app.line.ownWaits')
  ) : (
    <>
      <Trans i18nKey="approvals.asks" components={createNameComponents(by)} />
      <AskerNameOrigin by={by} quiet={quiet} />
    </>
  );

export const AsksBanner = ({ entry }: { entry: PendingApproval }) => {
  const { show, showBatch } = usePromptControls();
  if (entry.kind === 'batch') return <BatchBanner batch={entry.batch} />;
  const action = { label: t('app.line.review'), act: () => (entry.kind === 'one' ? show : showBatch)(entry.id) };
  return (
    <TopLineBanner look icon={IconReceipt} actions={[action]}>
      <AskingApprovalText approval={entry.approval} />
    </TopLineBanner>
  );
};

const BatchBannerText = ({ batch }: { batch: BatchView }) => {
  const { offOf } = usePromptControls();
  const { by, state } = batch;
  const off = offOf(batch);
  const counted = listCountedRows(batch, off);
  const count = counted.length;
  if (batch.interrupted > 0) return t('approvals.batch.interrupted', { count: batch.interrupted });
  if (state !== 'waiting')
    return t('app.line.batchGoes', {
      acts: formatBatchActions(groupRowsByRoute(counted)),
      words: formatBatchOutcome(batch, off),
    });
  if (by.kind === 'person') return t('app.line.ownBatchWaits', { count });
  return (
    <>
      <Trans i18nKey="app.line.batchAsks" values={{ count }} components={createNameComponents(by)} />
      <AskerNameOrigin by={by} />
    </>
  );
};

type UndoBannerProps = { until: number; words: (seconds: number) => string; busy: boolean; onTakeBack: () => void };

const UndoWindowBanner = ({ until, words, busy, onTakeBack }: UndoBannerProps) => {
  const left = countSecondsLeft(useTimeLeft(until, 200));
  if (left === 0) return null;
  return (
    <TopLineBanner
      look
      quiet
      icon={IconHourglass}
      actions={[{ label: t('approvals.hold.takeBack'), act: onTakeBack, disabled: busy }]}
    >
      <UntrustedText text={words(left)} flag={false} />
    </TopLineBanner>
  );
};

export const BatchBanner = ({ batch }: { batch: BatchView }) => {
  const { showBatch } = usePromptControls();
  const { takeBack } = useBatchPromptActions(batch, doNothing);
  if (batch.state === 'held' && batch.heldUntil !== null)
    return (
      <UndoWindowBanner
        until={batch.heldUntil}
        words={(s) => formatBatchCountdown(batch, s)}
        busy={takeBack.isPending}
        onTakeBack={() => takeBack.mutate()}
      />
    );
  const waits = batch.state === 'waiting';
  const review = batch.interrupted > 0 ? t('approvals.batch.reviewAndSend') : t('app.line.review');
  const label = waits ? review : t('app.line.show');
  return (
    <TopLineBanner look={waits} icon={IconReceipt} actions={[{ label, act: () => showBatch(batch.batchId) }]}>
      <BatchBannerText batch={batch} />
    </TopLineBanner>
  );
};

export const UndoApprovalBanner = ({ approval }: { approval: ApprovalView }) => {
  const decision = useApprovalDecision();
  const { prompt, route, heldUntil } = approval;
  const about = prompt.target ? formatTargetTitle(prompt) : formatPromptPart(prompt, 'act');
  return (
    <UndoWindowBanner
      until={heldUntil ?? 0}
      words={(s) => `${t(`approvals.hold.${getUndoWindowAction(route)}`, { s })} · ${about}`}
      busy={decision.isPending}
      onTakeBack={() => decision.mutate({ approval, act: 'takeBack' })}
    />
  );
};

export const DifferenceAlarm = ({ approval }: { approval: ApprovalView }) => {
  const { show } = usePromptControls();
  return (
    <TopLineBanner
      alarm
      icon={IconAlertTriangle}
      actions={[{ label: t('app.line.show'), act: () => show(approval.approvalId) }]}
    >
      <Trans
        i18nKey="app.line.differs"
        components={{ title: <UntrustedText text={formatTargetTitle(approval.prompt)} fold={120} flag={false} /> }}
      />
    </TopLineBanner>
  );
};

type LedgerAlarm = NonNullable<AppState['ledgerAlarm']>;

export const formatLedgerAlarm = ({ kind, rows, keptRows: kept, row, copy }: LedgerAlarm): string => {
  if (kind === 'rolledBack' && copy === null) return t('approvals.alarm.emptied');
  const values = { copy: copy ?? '', rows, kept: kept ?? 0, row: row ?? 0 };
  return t(`approvals.alarm.${kind === 'rolledBack' && values.kept <= rows ? 'restored' : kind}`, values);
};

type AcknowledgeProps = {
  call: 'history.acknowledge' | 'backups.repairSeen';
  topics: readonly string[];
  children: ReactNode;
};

export const AcknowledgeBanner = ({ call: name, topics, children }: AcknowledgeProps) => {
  const client = useQueryClient();
  const seen = useMutation({
    mutationFn: () => callCore(name, {}),
    onSuccess: () => Promise.all(topics.map((topic) => client.invalidateQueries({ queryKey: [topic] }))),
  });
  const action = { label: t('app.line.repairSeen'), act: () => seen.mutate(), loading: seen.isPending };
  return (
    <TopLineBanner isLong look icon={IconAlertTriangle} actions={[action]}>
      {children}
    </TopLineBanner>
  );
};

type OfferAct = 'offers.open' | 'offers.dismiss';

/** Only the person may open the page that an assistant suggests. */
export const PageOfferBanner = () => {
  const client = useQueryClient();
  const [first, ...more] = usePageOffers().data ?? [];
  const act = useMutation({
    mutationFn: (name: OfferAct) => callCore(name, { offerId: first?.offerId ?? '' }),
    onSettled: () => client.invalidateQueries({ queryKey: ['assistants', 'offers'] }),
  });
  if (!first) return null;
  const disabled = act.isPending;
  return (
    <TopLineBanner
      icon={IconExternalLink}
      actions={[
        {
          label: first.isKnown ? t('app.line.openPage') : t('parts.openHost', { host: escapeHiddenText(first.host) }),
          act: () => act.mutate('offers.open'),
          disabled,
        },
        { label: t('app.line.dismiss'), act: () => act.mutate('offers.dismiss'), disabled, quiet: true },
      ]}
    >
      <Trans
        i18nKey="app.line.offer"
        components={{
          name: <UntrustedText text={first.by} fold={60} flag={false} />,
          what: <UntrustedText text={first.what} fold={200} />,
          host: (
            <b>
              <UntrustedText text={first.host} fold={100} />
            </b>
          ),
        }}
      />{' '}
      {!first.isKnown && t('parts.unknownHost', { host: escapeHiddenText(first.host) })}{' '}
      {more.length > 0 && t('app.line.moreOffers', { count: more.length })} {act.error && getErrorSentence(act.error)}
    </TopLineBanner>
  );
};

export const PausedBanner = () => {
  const { mutate, isPending } = usePauseAll();
  const action = { label: t('app.line.resume'), act: () => mutate(false), loading: isPending };
  return (
    <TopLineBanner icon={IconPlayerPause} actions={[action]}>
      {t('app.line.paused')}
    </TopLineBanner>
  );
};

export const ReconnectBanner = () => {
  const [open, setOpen] = useState(false);
  useEffect(() => dialogExits.subscribe(() => setOpen(false)), []);
  const action = { label: t('app.line.connectAgain'), act: () => setOpen(true) };
  return (
    <TopLineBanner look icon={IconPlugConnectedX} actions={[action]}>
      {t('app.line.reconnect')}
      {open && <ConnectDialog onClose={() => setOpen(false)} />}
    </TopLineBanner>
  );
};

export const formatRepairText = ({ from }: NonNullable<AppState['repaired']>): string =>
  from === null ? t('app.line.repairedEmpty') : t('app.line.repaired', { when: formatTime(from) });

export const PairingBanner = () => {
  const [, go] = useLocation();
  const [first] = useAssistantList().data?.pairings ?? [];
  if (!first) return null;
  const name = <UntrustedText text={first.name} fold={60} flag={false} />;
  return (
    <TopLineBanner look icon={IconRobot} actions={[{ label: t('app.line.review'), act: () => go('/approvals') }]}>
      <Trans i18nKey="assistants.wants" components={{ name }} />
    </TopLineBanner>
  );
};

type ReadOnlyBannerProps = { problem: NonNullable<AppState['readOnly']>; progress: AppState['checkProgress'] };

/** Says that the data are being checked after a crash, or that they are damaged, which a restart repairs. */
export const ReadOnlyBanner = ({ problem, progress }: ReadOnlyBannerProps) => {
  const restart = useRestart();
  const isDamaged = problem.code === 'DATA_DAMAGED';
  const action = { label: t('start.restartNow'), act: () => restart.mutate(), loading: restart.isPending };
  return (
    <TopLineBanner isLong={!isDamaged} look icon={IconAlertTriangle} actions={isDamaged ? [action] : []}>
      {progress && (
        <progress
          className={styles.checkProgress}
          aria-label={t('start.checkProgress')}
          value={progress.done}
          max={progress.total}
        />
      )}
      {translateMessage(problem.says, problem.sentence)}
    </TopLineBanner>
  );
};

export const OfflineBanner = () => (
  <TopLineBanner isLong look icon={IconAlertTriangle}>
    {t('app.line.offline')}
  </TopLineBanner>
);
