import { Modal } from '@mantine/core';
import { useEffect } from 'react';
import type { ApprovalView } from '../../api/call.ts';
import { useApprovalById } from '../../api/queries.ts';
import { useFocusRestore } from '../../components/Keys.tsx';
import { ErrorLine } from '../../components/ScreenPage.tsx';
import { getUndoWindowAction, isInUndoWindow, isWaitingForPerson, type PendingApproval } from './approvalText.ts';
import {
  ApprovalAnswerButtons,
  PromptFoot,
  UndoWindowCountdown,
  PromptModalFrame,
  useIsApproveButtonArmed,
} from './ApprovalAnswerButtons.tsx';
import { ApprovalResultFooter } from './ApprovalResultFooter.tsx';
import { copyFixTarget } from './fix/useFixRequests.ts';
import { PromptContent } from './PromptContent.tsx';
import {
  useApprovalDecision,
  useMarkAlarmSeen,
  usePendingApprovals,
  type DecisionMutation,
  type FollowPrompt,
} from './usePrompts.ts';
import { useShownReport } from './useShownReport.ts';
import { t } from '../../i18n.ts';
import styles from './prompt.module.css';

type ApprovalPromptProps = { approvalId: string; onFollow: FollowPrompt; onClose: () => void };

const useFollowSupersedingApproval = (approval: ApprovalView | undefined, onFollow: FollowPrompt): void => {
  const next = approval?.state === 'superseded' ? approval.supersededBy : null;
  const from = approval?.approvalId;
  useEffect(() => {
    if (!next || !from) return;
    copyFixTarget(from, next);
    onFollow({ kind: 'one', id: next }, from);
  }, [from, next, onFollow]);
};

type ApprovalFooterProps = {
  approval: ApprovalView;
  stale: boolean;
  others: readonly PendingApproval[];
  decision: DecisionMutation;
  onFollow: FollowPrompt;
  onClose: () => void;
};

const ApprovalPromptFooter = ({ approval, stale, others, decision, onFollow, onClose }: ApprovalFooterProps) => {
  const { windowSession, problem } = useShownReport(!stale && isWaitingForPerson(approval) ? [approval] : []);
  const armed = useIsApproveButtonArmed(
    stale || windowSession === null
      ? null
      : `${windowSession} ${approval.approvalId} ${approval.digest} ${approval.shownAt}`,
  );
  const busy = decision.isPending;
  const { heldUntil } = approval;
  const openNextPrompt = (): void => others[0] && onFollow(others[0], approval.approvalId);
  if (isWaitingForPerson(approval))
    return (
      <>
        <ErrorLine error={problem} />
        <ApprovalAnswerButtons
          approval={approval}
          armed={armed}
          busy={busy}
          more={others.length}
          onYes={() => decision.mutate({ approval, act: 'yes' })}
          onDecline={(why) => decision.mutate({ approval, act: 'no', why })}
          onLater={onClose}
          onShow={(id) => onFollow({ kind: 'one', id }, approval.approvalId)}
        />
      </>
    );
  if (isInUndoWindow(approval) && heldUntil !== null)
    return (
      <PromptFoot prompt={approval.prompt}>
        <UndoWindowCountdown
          until={heldUntil}
          words={(s) => t(`approvals.hold.${getUndoWindowAction(approval.route)}`, { s })}
          busy={busy}
          more={others.length}
          onTakeBack={() => decision.mutate({ approval, act: 'takeBack' })}
          onNext={openNextPrompt}
          onClose={onClose}
        />
      </PromptFoot>
    );
  return (
    <ApprovalResultFooter
      approval={approval}
      more={others.length}
      busy={busy}
      onUnlock={() => decision.mutate({ approval, act: 'unlock' })}
      onNext={openNextPrompt}
      onClose={onClose}
    />
  );
};

export const ApprovalPrompt = ({ approvalId, onFollow, onClose }: ApprovalPromptProps) => {
  useFocusRestore();
  const { data: approval, isPlaceholderData, error } = useApprovalById(approvalId);
  const others = usePendingApprovals().filter(({ id }) => id !== approvalId);
  const decision = useApprovalDecision((answer, asked) => onFollow({ kind: 'one', id: answer.approvalId }, asked));
  const withdrawal = useApprovalDecision();
  useFollowSupersedingApproval(approval, onFollow);
  useMarkAlarmSeen(approval);
  // The prompt of a missing approval closes, because it would block other prompts.
  const isGone = error !== null;
  useEffect(() => {
    if (isGone) onClose();
  }, [isGone, onClose]);
  if (!approval) return null;
  /** Escape closes the prompt of an assistant's request and withdraws the person's own request. */
  const handleEscapeKey = (): void => {
    const isOwn =
      approval.by.kind === 'person' && isWaitingForPerson(approval) && !decision.isPending && !isPlaceholderData;
    if (isOwn) withdrawal.mutate({ approval, act: 'no', why: 'no' });
    onClose();
  };
  return (
    <PromptModalFrame widthPx={480} onEscape={handleEscapeKey}>
      <Modal.Body tabIndex={0} aria-label={t('approvals.asked')}>
        <PromptContent approval={approval} heading={(act) => <Modal.Title className={styles.act}>{act}</Modal.Title>} />
      </Modal.Body>
      <ErrorLine error={decision.error} />
      <ApprovalPromptFooter {...{ approval, others, decision, onFollow, onClose }} stale={isPlaceholderData} />
    </PromptModalFrame>
  );
};
