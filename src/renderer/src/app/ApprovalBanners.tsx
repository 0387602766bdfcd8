import { IconAlertTriangle, IconHourglass, IconReceipt } from '@tabler/icons-react';
import { Trans } from 'react-i18next';
import { useApprovals, useBatchList } from '../api/queries.ts';
import type { ApprovalView, BatchView } from '../api/types.ts';
import { secondsLeft, useNow } from '../components/text/RelativeTime.tsx';
import { UntrustedText } from '../components/text/UntrustedText.tsx';
import { asked, titleOf, holdOf, askerOf, isHeld } from '../screens/approvals/approvalWords.ts';
import { actWords, groupRows, heldWords, endWords } from '../screens/approvals/batch/batchRows.ts';
import { useBatchActs } from '../screens/approvals/batch/useBatches.ts';
import { idsInBatches } from '../screens/approvals/questions.ts';
import { useAlarms } from '../screens/approvals/useQuestions.ts';
import { useDecision } from '../screens/approvals/useDecision.ts';
import { usePrompts } from '../screens/approvals/usePrompts.ts';
import { t } from '../i18n/t.ts';
import { Banner } from './Banner.tsx';

const nothing = (): void => undefined;

const nameIn = (by: ApprovalView['by']) => ({ name: <UntrustedText text={askerOf({ by })} fold={60} flag={false} /> });

/** Questions that came while the person was busy. */
const Waiting = () => {
  const { unseen, show } = usePrompts();
  const alone = unseen.flatMap((one) => (one.kind === 'one' ? [one.approval] : []));
  const [first] = alone;
  if (!first) return null;
  const more = alone.length - 1;
  return (
    <Banner look icon={IconReceipt} actions={[{ label: t('app.line.review'), act: () => show(first.approvalId) }]}>
      {first.by.kind === 'person' ? (
        t(more > 0 ? 'app.line.ownWaitsMore' : 'app.line.ownWaits', { count: more })
      ) : (
        <Trans
          i18nKey={more > 0 ? 'app.line.waitsMore' : 'app.line.waits'}
          count={more}
          components={nameIn(first.by)}
        />
      )}
    </Banner>
  );
};

const BatchWords = ({ batch }: { batch: BatchView }) => {
  const { offOf } = usePrompts();
  const { by, rows, state } = batch;
  const count = rows.length;
  if (state !== 'waiting')
    return t('app.line.batchGoes', { acts: actWords(groupRows(rows)), words: endWords(batch, offOf(batch.batchId)) });
  if (by.kind === 'person') return t('app.line.ownBatchWaits', { count });
  return <Trans i18nKey="app.line.batchWaits" values={{ count }} components={nameIn(by)} />;
};

type HeldProps = { until: number; words: (seconds: number) => string; busy: boolean; onTakeBack: () => void };

/** A yes that can still be taken back, from wherever the person is. */
const HeldBanner = ({ until, words, busy, onTakeBack }: HeldProps) => {
  const left = secondsLeft(until, useNow(200));
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

/** A batch that is not in front of the person: it waits, is held, is being sent, or is over. */
const BatchBanner = ({ batch }: { batch: BatchView }) => {
  const { showBatch } = usePrompts();
  const { takeBack } = useBatchActs(batch, nothing);
  if (batch.state === 'held' && batch.heldUntil !== null)
    return (
      <HeldBanner
        until={batch.heldUntil}
        words={(s) => heldWords(batch, s)}
        busy={takeBack.isPending}
        onTakeBack={() => takeBack.mutate()}
      />
    );
  const waits = batch.state === 'waiting';
  const label = waits ? t('app.line.review') : t('app.line.show');
  return (
    <Banner look={waits} icon={IconReceipt} actions={[{ label, act: () => showBatch(batch.batchId) }]}>
      <BatchWords batch={batch} />
    </Banner>
  );
};

const HeldApproval = ({ approval }: { approval: ApprovalView }) => {
  const decision = useDecision();
  const { prompt, route, heldUntil } = approval;
  const about = prompt.target ? titleOf(prompt) : asked(prompt, 'act');
  return (
    <HeldBanner
      until={heldUntil ?? 0}
      words={(s) => `${t(`approvals.hold.${holdOf(route)}`, { s })} · ${about}`}
      busy={decision.isPending}
      onTakeBack={() => decision.mutate({ approval, act: 'takeBack' })}
    />
  );
};

/** What is live and differs from what the yes was given to, until somebody looked. */
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

/** What the person should know of approvals on every screen. */
export const ApprovalBanners = () => {
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
