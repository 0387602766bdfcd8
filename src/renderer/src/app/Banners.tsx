import { Button } from '@mantine/core';
import {
  type Icon,
  IconAlertTriangle,
  IconHourglass,
  IconReceipt,
  IconExternalLink,
  IconFlask,
  IconPlayerPause,
  IconPlugConnectedX,
} from '@tabler/icons-react';
import { type ReactNode, useState } from 'react';
import styles from './frame.module.css';
import { Trans } from 'react-i18next';
import { useApprovals, useAssistants, useBatchList, useOffers, usePause } from '../api/queries.ts';
import { type ApprovalView, type BatchView, type AppState, call, sentenceOf } from '../api/call.ts';
import { secondsLeft, useTimeLeft } from '../components/text/RelativeTime.tsx';
import { lazyComponent } from '../components/lazyComponent.tsx';
import { escapedText, UntrustedText } from '../components/text/UntrustedText.tsx';
import {
  promptText,
  titleOf,
  holdOf,
  askerOf,
  nameOriginOf,
  isHeld,
  idsInBatches,
} from '../screens/approvals/approvalText.ts';
import { actText, countedRows, groupRows, heldText, endText } from '../screens/approvals/batch/batchRows.ts';
import { useBatchActs } from '../screens/approvals/batch/useBatches.ts';
import { useAlarms, usePrompts, useWaitingQuestions, useDecision } from '../screens/approvals/useQuestions.ts';
import { ConnectDialog } from '../screens/connect/lazyConnectDialog.ts';
import { t } from '../i18n.ts';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { formatTime } from '../components/text/format.ts';

type Action = { label: string; act: () => void; quiet?: boolean; loading?: boolean; disabled?: boolean };

type Props = {
  icon: Icon;
  look?: boolean;
  /** An error: it is announced at once and highlighted. */
  alarm?: boolean;
  /** For text that changes all the time: screen readers do not announce the changes. */
  quiet?: boolean;
  children: ReactNode;
  actions?: readonly Action[];
};

const Banner = ({ icon: Sign, look = false, alarm = false, quiet = false, children, actions = [] }: Props) => (
  <div
    className={styles.topLine}
    data-look={look || undefined}
    data-alarm={alarm || undefined}
    role={alarm ? 'alert' : 'status'}
    aria-live={quiet ? 'off' : undefined}
  >
    <Sign size={16} aria-hidden />
    <span>{children}</span>
    {actions.length > 0 && (
      <span className={styles.lineActs}>
        {actions.map(({ label, act, quiet: isQuiet, ...state }) => (
          <Button key={label} size="compact-sm" {...(isQuiet ? { variant: 'quiet' } : {})} {...state} onClick={act}>
            {label}
          </Button>
        ))}
      </span>
    )}
  </div>
);

const nothing = (): void => undefined;

const nameIn = (by: ApprovalView['by']) => ({ name: <UntrustedText text={askerOf({ by })} fold={60} flag={false} /> });

/** Names the origin of an asker's name, which could otherwise be mistaken for text of the companion. */
const NameOrigin = (asked: Pick<ApprovalView, 'by'> & { quiet?: boolean }) => (
  <span className={styles.nameOrigin}>{nameOriginOf(asked)}</span>
);

/** Announces approvals that arrived while the person was busy. */
const Waiting = () => {
  const { unseen, show } = usePrompts();
  const all = useWaitingQuestions();
  const alone = unseen.flatMap((one) => (one.kind === 'one' ? [one.approval] : []));
  const [first] = alone;
  if (!first) return null;
  // The count equals the sidebar's: it includes batches and approvals that were opened and left.
  const more = all.length - 1;
  return (
    <Banner look icon={IconReceipt} actions={[{ label: t('app.line.review'), act: () => show(first.approvalId) }]}>
      {first.by.kind === 'person' ? (
        t(more > 0 ? 'app.line.ownWaitsMore' : 'app.line.ownWaits', { count: more })
      ) : (
        <>
          <Trans
            i18nKey={more > 0 ? 'app.line.waitsMore' : 'app.line.waits'}
            count={more}
            components={nameIn(first.by)}
          />
          <NameOrigin by={first.by} quiet={first.quiet} />
        </>
      )}
    </Banner>
  );
};

const BatchText = ({ batch }: { batch: BatchView }) => {
  const { offOf } = usePrompts();
  const { by, state } = batch;
  const off = offOf(batch.batchId);
  const counted = countedRows(batch, off);
  const count = counted.length;
  if (batch.interrupted > 0) return t('approvals.batch.interrupted', { count: batch.interrupted });
  if (state !== 'waiting')
    return t('app.line.batchGoes', { acts: actText(groupRows(counted)), words: endText(batch, off) });
  if (by.kind === 'person') return t('app.line.ownBatchWaits', { count });
  return (
    <>
      <Trans i18nKey="app.line.batchWaits" values={{ count }} components={nameIn(by)} />
      <NameOrigin by={by} />
    </>
  );
};

type HeldProps = { until: number; words: (seconds: number) => string; busy: boolean; onTakeBack: () => void };

/** Counts down the undo window and offers to undo, on every screen. */
const HeldBanner = ({ until, words, busy, onTakeBack }: HeldProps) => {
  const left = secondsLeft(useTimeLeft(until, 200));
  if (left === 0) return null;
  return (
    <Banner
      look
      quiet
      icon={IconHourglass}
      actions={[{ label: t('approvals.hold.takeBack'), act: onTakeBack, disabled: busy }]}
    >
      <UntrustedText text={words(left)} flag={false} />
    </Banner>
  );
};

/** Shows the state of a batch that is not open: pending, in its undo window, being sent, or finished. */
const BatchBanner = ({ batch }: { batch: BatchView }) => {
  const { showBatch } = usePrompts();
  const { takeBack } = useBatchActs(batch, nothing);
  if (batch.state === 'held' && batch.heldUntil !== null)
    return (
      <HeldBanner
        until={batch.heldUntil}
        words={(s) => heldText(batch, s)}
        busy={takeBack.isPending}
        onTakeBack={() => takeBack.mutate()}
      />
    );
  const waits = batch.state === 'waiting';
  const review = batch.interrupted > 0 ? t('approvals.batch.reviewAndSend') : t('app.line.review');
  const label = waits ? review : t('app.line.show');
  return (
    <Banner look={waits} icon={IconReceipt} actions={[{ label, act: () => showBatch(batch.batchId) }]}>
      <BatchText batch={batch} />
    </Banner>
  );
};

const HeldApproval = ({ approval }: { approval: ApprovalView }) => {
  const decision = useDecision();
  const { prompt, route, heldUntil } = approval;
  const about = prompt.target ? titleOf(prompt) : promptText(prompt, 'act');
  return (
    <HeldBanner
      until={heldUntil ?? 0}
      words={(s) => `${t(`approvals.hold.${holdOf(route)}`, { s })} · ${about}`}
      busy={decision.isPending}
      onTakeBack={() => decision.mutate({ approval, act: 'takeBack' })}
    />
  );
};

/** Warns that a live listing differs from what was approved, until the person opens the approval. */
const Alarm = ({ approval }: { approval: ApprovalView }) => {
  const { show } = usePrompts();
  return (
    <Banner
      alarm
      icon={IconAlertTriangle}
      actions={[{ label: t('app.line.show'), act: () => show(approval.approvalId) }]}
    >
      <Trans
        i18nKey="app.line.differs"
        components={{ title: <UntrustedText text={titleOf(approval.prompt)} fold={120} flag={false} /> }}
      />
    </Banner>
  );
};

const ApprovalBanners = () => {
  const { open } = usePrompts();
  const approvals = useApprovals().data ?? [];
  const batches = useBatchList().data ?? [];
  const alarms = useAlarms();
  const together = idsInBatches(batches);
  const isElsewhere = (id: string): boolean => id !== open?.id;
  return (
    <>
      {alarms.map((one) => isElsewhere(one.approvalId) && <Alarm key={one.approvalId} approval={one} />)}
      {approvals.map(
        (one) =>
          isHeld(one) &&
          !together.has(one.approvalId) &&
          isElsewhere(one.approvalId) && <HeldApproval key={one.approvalId} approval={one} />,
      )}
      <Waiting />
      {batches.map((batch) => isElsewhere(batch.batchId) && <BatchBanner key={batch.batchId} batch={batch} />)}
    </>
  );
};

type LedgerAlarm = NonNullable<AppState['ledgerAlarm']>;

/** Describes what is wrong with the ledger and what that may mean. */
const alarmText = ({ kind, rows, keptRows: kept, row, copy }: LedgerAlarm): string => {
  if (kind === 'rolledBack' && copy === null) return t('approvals.alarm.emptied');
  const values = { copy: copy ?? '', rows, kept: kept ?? 0, row: row ?? 0 };
  return t(`approvals.alarm.${kind === 'rolledBack' && values.kept <= rows ? 'restored' : kind}`, values);
};

type SeenProps = { call: 'history.acknowledge' | 'backups.repairSeen'; topics: readonly string[]; children: ReactNode };

/** Tells the person what happened to the data, until they confirm that they have read it. */
const SeenBanner = ({ call: name, topics, children }: SeenProps) => {
  const client = useQueryClient();
  const seen = useMutation({
    mutationFn: () => call(name, {}),
    onSuccess: () => Promise.all(topics.map((topic) => client.invalidateQueries({ queryKey: [topic] }))),
  });
  const action = { label: t('app.line.repairSeen'), act: () => seen.mutate(), loading: seen.isPending };
  return (
    <Banner look icon={IconAlertTriangle} actions={[action]}>
      {children}
    </Banner>
  );
};

type Act = 'offers.open' | 'offers.dismiss';

/** Offers a page that an assistant wants to open and only the person may open: the assistant, the page and its host. */
const OfferBanner = () => {
  const client = useQueryClient();
  const [first, ...more] = useOffers().data ?? [];
  const act = useMutation({
    mutationFn: (name: Act) => call(name, { offerId: first?.offerId ?? '' }),
    onSettled: () => client.invalidateQueries({ queryKey: ['assistants', 'offers'] }),
  });
  if (!first) return null;
  const disabled = act.isPending;
  return (
    <Banner
      look
      icon={IconExternalLink}
      actions={[
        {
          label: first.isKnown ? t('app.line.openPage') : t('parts.openHost', { host: escapedText(first.host) }),
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
      {!first.isKnown && t('parts.unknownHost', { host: escapedText(first.host) })}{' '}
      {more.length > 0 && t('app.line.moreOffers', { count: more.length })} {act.error && sentenceOf(act.error)}
    </Banner>
  );
};

const Paused = () => {
  const { mutate, isPending } = usePause();
  const action = { label: t('app.line.resume'), act: () => mutate(false), loading: isPending };
  return (
    <Banner look icon={IconPlayerPause} actions={[action]}>
      {t('app.line.paused')}
    </Banner>
  );
};

const Reconnect = () => {
  const [open, setOpen] = useState(false);
  const action = { label: t('app.line.connectAgain'), act: () => setOpen(true) };
  return (
    <Banner look icon={IconPlugConnectedX} actions={[action]}>
      {t('app.line.reconnect')}
      {open && <ConnectDialog onClose={() => setOpen(false)} />}
    </Banner>
  );
};

const repairText = ({ from }: NonNullable<AppState['repaired']>): string =>
  from === null ? t('app.line.repairedEmpty') : t('app.line.repaired', { when: formatTime(from) });

/** Whether the ledger alarm is already covered by the message about the repair. */
const isOfRepair = ({ repaired, ledgerAlarm }: AppState): boolean =>
  repaired !== null && ledgerAlarm?.kind === 'rolledBack';

const PairingLines = lazyComponent(async () => (await import('./PairingLines.tsx')).PairingLines);

/** Loaded on the first pairing request: its form is large and rarely needed. */
const Pairings = () => ((useAssistants().data?.pairings.length ?? 0) === 0 ? null : <PairingLines />);

export const Banners = ({ state }: { state: AppState }) => (
  <div className={styles.topLines}>
    {state.service.kind === 'practice' && <Banner icon={IconFlask}>{t('app.line.practice')}</Banner>}
    {state.connection === 'reconnect' && <Reconnect />}
    {state.offline && (
      <Banner look icon={IconAlertTriangle}>
        {t('app.line.offline')}
      </Banner>
    )}
    {state.repaired && (
      <SeenBanner call="backups.repairSeen" topics={['app']}>
        {repairText(state.repaired)}
      </SeenBanner>
    )}
    {state.ledgerAlarm && !isOfRepair(state) && (
      <SeenBanner call="history.acknowledge" topics={['app', 'approvals']}>
        {alarmText(state.ledgerAlarm)}
      </SeenBanner>
    )}
    {state.paused && <Paused />}
    <Pairings />
    <OfferBanner />
    <ApprovalBanners />
  </div>
);
