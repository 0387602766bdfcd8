import { Modal } from '@mantine/core';
import { useEffect } from 'react';
import { sentenceOf, type ApprovalView } from '../../api/call.ts';
import { useApproval } from '../../api/queries.ts';
import { useFocusBack } from '../../components/Keys.tsx';
import { ProblemLine } from '../../components/Page.tsx';
import { holdOf, isHeld, isWaiting, type Question } from './approvalText.ts';
import { Decide, HoldCountdown, pressYes, useArmed } from './Decide.tsx';
import { Decided } from './Decided.tsx';
import { carryFix } from './fix/useFix.ts';
import { Receipt } from './Receipt.tsx';
import { useDecision, type DecisionMutation } from './useDecision.ts';
import { type Follow, useSeenAlarms, useWaitingQuestions } from './useQuestions.ts';
import { t } from '../../i18n.ts';
import styles from './receipt.module.css';

type Props = { approvalId: string; onFollow: Follow; onClose: () => void };

/** Follows an approval to the one that replaced it. */
const useReplacement = (approval: ApprovalView | undefined, onFollow: Follow): void => {
  const next = approval?.state === 'superseded' ? approval.supersededBy : null;
  const from = approval?.approvalId;
  useEffect(() => {
    if (!next || !from) return;
    carryFix(from, next);
    onFollow({ kind: 'one', id: next }, from);
  }, [from, next, onFollow]);
};

type FootProps = {
  approval: ApprovalView;
  stale: boolean;
  others: readonly Question[];
  decision: DecisionMutation;
  onFollow: Follow;
  onClose: () => void;
};

const Foot = ({ approval, stale, others, decision, onFollow, onClose }: FootProps) => {
  const armed = useArmed(stale ? null : `${approval.approvalId} ${approval.digest} ${approval.shownAt}`);
  const busy = decision.isPending;
  const { heldUntil } = approval;
  const onNext = (): void => others[0] && onFollow(others[0], approval.approvalId);
  if (isWaiting(approval))
    return (
      <Decide
        approval={approval}
        armed={armed}
        busy={busy}
        more={others.length}
        onYes={() => decision.mutate({ approval, act: 'yes' })}
        onDecline={(why) => decision.mutate({ approval, act: 'no', why })}
        onLater={onClose}
        onShow={(id) => onFollow({ kind: 'one', id }, approval.approvalId)}
      />
    );
  if (isHeld(approval) && heldUntil !== null)
    return (
      <HoldCountdown
        until={heldUntil}
        words={(s) => t(`approvals.hold.${holdOf(approval.route)}`, { s })}
        busy={busy}
        more={others.length}
        onTakeBack={() => decision.mutate({ approval, act: 'takeBack' })}
        onNext={onNext}
        onClose={onClose}
      />
    );
  return (
    <Decided
      approval={approval}
      more={others.length}
      busy={busy}
      onUnlock={() => decision.mutate({ approval, act: 'unlock' })}
      onNext={onNext}
      onClose={onClose}
    />
  );
};

/** The prompt: one question as a receipt, with its answers at the foot. */
export const PromptSheet = ({ approvalId, onFollow, onClose }: Props) => {
  useFocusBack();
  const { data: approval, isPlaceholderData, error } = useApproval(approvalId);
  const others = useWaitingQuestions().filter(({ id }) => id !== approvalId);
  const decision = useDecision((answer, asked) => onFollow({ kind: 'one', id: answer.approvalId }, asked));
  const withdrawal = useDecision();
  useReplacement(approval, onFollow);
  useSeenAlarms(approval);
  // One that is not there any more would keep others from being shown.
  const isGone = error !== null;
  useEffect(() => {
    if (isGone) onClose();
  }, [isGone, onClose]);
  if (!approval) return null;
  /** Escape leaves what an assistant asks, and takes back what the person asked. */
  const onEscape = (): void => {
    const isOwn = approval.by.kind === 'person' && isWaiting(approval) && !decision.isPending && !isPlaceholderData;
    if (isOwn) withdrawal.mutate({ approval, act: 'no', why: 'no' });
    onClose();
  };
  return (
    <Modal.Root
      onKeyDown={pressYes}
      opened
      onClose={onEscape}
      closeOnClickOutside={false}
      centered
      size={480}
      padding={0}
      classNames={{ content: styles.sheet, body: styles.body }}
    >
      <Modal.Overlay className={styles.overlay} />
      <Modal.Content>
        <Modal.Body tabIndex={0} aria-label={t('approvals.asked')}>
          <Receipt approval={approval} heading={(act) => <Modal.Title className={styles.act}>{act}</Modal.Title>} />
        </Modal.Body>
        {decision.error && <ProblemLine>{sentenceOf(decision.error)}</ProblemLine>}
        <Foot {...{ approval, others, decision, onFollow, onClose }} stale={isPlaceholderData} />
      </Modal.Content>
    </Modal.Root>
  );
};
