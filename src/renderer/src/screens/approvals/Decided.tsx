import { Button, Loader } from '@mantine/core';
import { IconCheck, IconInfoCircle } from '@tabler/icons-react';
import { useEffect, useRef } from 'react';
import type { ApprovalView } from '../../api/types.ts';
import { Ago } from '../../parts/Ago.tsx';
import { ExternalLink } from '../../parts/ExternalLink.tsx';
import { Said } from '../../parts/Said.tsx';
import { isUnderway, stateWords } from './stateWords.ts';
import styles from './receipt.module.css';

const Mark = ({ state }: { state: ApprovalView['state'] }) => {
  if (isUnderway(state)) return <Loader size={18} color="gray" aria-hidden />;
  return state === 'done' ? (
    <IconCheck size={20} className={styles.doneMark} aria-hidden />
  ) : (
    <IconInfoCircle size={20} aria-hidden />
  );
};

const Outcome = ({ approval }: { approval: ApprovalView }) => (
  <div role="status" className={styles.outcome}>
    <Mark state={approval.state} />
    <div>
      <b>{stateWords[approval.state]}</b>
      {approval.decidedAt !== null && (
        <span className={styles.small}>
          {' '}
          <Ago at={approval.decidedAt} />
        </span>
      )}
      {approval.outcome && (
        <p>
          <Said text={approval.outcome.sentence} />
        </p>
      )}
      {approval.outcome?.url && (
        <p>
          <ExternalLink url={approval.outcome.url} withAddress>
            Open listing
          </ExternalLink>
        </p>
      )}
    </div>
  </div>
);

type Props = { approval: ApprovalView; more: number; onNext: () => void; onClose: () => void };

/** What came of it, in the place of the answers. */
export const Decided = ({ approval, more, onNext, onClose }: Props) => {
  const close = useRef<HTMLButtonElement>(null);
  useEffect(() => close.current?.focus(), [approval.approvalId]);
  return (
    <div className={styles.foot}>
      <Outcome approval={approval} />
      <div className={styles.others}>
        <Button ref={close} onClick={onClose}>
          Close
        </Button>
        {more > 0 && (
          <Button variant="quiet" onClick={onNext}>
            Next of {more}
          </Button>
        )}
      </div>
    </div>
  );
};
