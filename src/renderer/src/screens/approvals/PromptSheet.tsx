import { Modal } from '@mantine/core';
import { useEffect } from 'react';
import { sentenceOf, type ApprovalView } from '../../api/call.ts';
import { useApproval } from '../../api/queries.ts';
import { useFocusBack } from '../../components/Keys.tsx';
import { ProblemLine } from '../../components/Page.tsx';
import { holdOf, isHeld, isWaiting, type Question } from './approvalText.ts';
import { Decide, HoldCountdown, PromptFrame, useArmed } from './Decide.tsx';
import { Decided } from './Decided.tsx';
import { carryFix } from './fix/useFix.ts';
import { Receipt } from './Receipt.tsx';
import { useDecision, useSeenAlarms, useWaitingQuestions, type DecisionMutation, type Follow } from './useQuestions.ts';
import { t } from '../../i18n.ts';
import styles from './receipt.module.css';

type Props = { approvalId: string; onFollow: Follow; onClose: () => void };

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

/** The prompt for one approval, with the answer buttons at the bottom. */
export const PromptSheet = ({ approvalId, onFollow, onClose }: Props) => {
  useFocusBack();
  const { data: approval, isPlaceholderData, error } = useApproval(approvalId);
  const others = useWaitingQuestions().filter(({ id }) => id !== approvalId);
  const decision = useDecision((answer, asked) => onFollow({ kind: 'one', id: answer.approvalId }, asked));
  const withdrawal = useDecision();
  useReplacement(approval, onFollow);
  useSeenAlarms(approval);
  // A prompt whose approval no longer exists would block other prompts.
  const isGone = error !== null;
  useEffect(() => {
    if (isGone) onClose();
  }, [isGone, onClose]);
  if (!approval) return null;
  /** Escape closes the prompt of an assistant's request and withdraws the person's own request. */
  const onEscape = (): void => {
    const isOwn = approval.by.kind === 'person' && isWaiting(approval) && !decision.isPending && !isPlaceholderData;
    if (isOwn) withdrawal.mutate({ approval, act: 'no', why: 'no' });
    onClose();
  };
  return (
    <PromptFrame widthPx={480} onEscape={onEscape}>
      <Modal.Body tabIndex={0} aria-label={t('approvals.asked')}>
        <Receipt approval={approval} heading={(act) => <Modal.Title className={styles.act}>{act}</Modal.Title>} />
      </Modal.Body>
      {decision.error && <ProblemLine>{sentenceOf(decision.error)}</ProblemLine>}
      <Foot {...{ approval, others, decision, onFollow, onClose }} stale={isPlaceholderData} />
    </PromptFrame>
  );
};
