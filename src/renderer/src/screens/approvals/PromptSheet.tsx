import { Modal } from '@mantine/core';
import { useEffect } from 'react';
import { sentenceOf } from '../../api/callError.ts';
import { useApproval } from '../../api/queries.ts';
import type { ApprovalView } from '../../api/types.ts';
import { ProblemLine } from '../../parts/ProblemLine.tsx';
import { Decide } from './Decide.tsx';
import { Decided } from './Decided.tsx';
import { carryFix } from './fix/fixedFor.ts';
import { Receipt } from './Receipt.tsx';
import { isWaiting } from './stateWords.ts';
import { useArmed } from './useArmed.ts';
import { useDecision } from './useDecision.ts';
import { useWaiting } from './useWaiting.ts';
import { t } from '../../i18n/t.ts';
import styles from './receipt.module.css';

type Props = { approvalId: string; onShow: (approvalId: string) => void; onClose: () => void };

/** Follows an approval to the one that replaced it. */
const useReplacement = (approval: ApprovalView | undefined, onShow: (approvalId: string) => void): void => {
  const next = approval?.state === 'superseded' ? approval.supersededBy : null;
  const from = approval?.approvalId;
  useEffect(() => {
    if (!next) return;
    if (from) carryFix(from, next);
    onShow(next);
  }, [from, next, onShow]);
};

const Foot = ({
  approval,
  stale,
  others,
  onShow,
  onClose,
}: Omit<Props, 'approvalId'> & {
  approval: ApprovalView;
  stale: boolean;
  others: readonly ApprovalView[];
}) => {
  const armed = useArmed(stale ? null : `${approval.approvalId} ${approval.digest} ${approval.shownAt}`);
  const decision = useDecision(approval, (answer) => onShow(answer.approvalId));
  const next = others[0];
  return (
    <>
      {decision.error && <ProblemLine>{sentenceOf(decision.error)}</ProblemLine>}
      {isWaiting(approval) ? (
        <Decide
          approval={approval}
          armed={armed}
          busy={decision.isPending}
          onYes={() => decision.mutate({ yes: true })}
          onDecline={(why) => decision.mutate({ yes: false, why })}
          onLater={onClose}
          onShow={onShow}
        />
      ) : (
        <Decided
          approval={approval}
          more={others.length}
          onNext={() => next && onShow(next.approvalId)}
          onClose={onClose}
        />
      )}
    </>
  );
};

/** The prompt: one question as a receipt, with its answers at the foot. */
export const PromptSheet = ({ approvalId, onShow, onClose }: Props) => {
  const { data: approval, isPlaceholderData } = useApproval(approvalId);
  const others = useWaiting().filter((other) => other.approvalId !== approvalId);
  useReplacement(approval, onShow);
  if (!approval) return null;
  return (
    <Modal.Root
      opened
      onClose={onClose}
      closeOnClickOutside={false}
      centered
      size={480}
      padding={0}
      classNames={{ inner: styles.around, content: styles.sheet, body: styles.body }}
    >
      <Modal.Overlay className={styles.overlay} />
      <Modal.Content>
        <Modal.Body tabIndex={0} aria-label={t('approvals.asked')}>
          <Receipt
            approval={approval}
            more={others.length}
            heading={(act) => <Modal.Title className={styles.act}>{act}</Modal.Title>}
          />
        </Modal.Body>
        <Foot approval={approval} stale={isPlaceholderData} others={others} onShow={onShow} onClose={onClose} />
      </Modal.Content>
    </Modal.Root>
  );
};
