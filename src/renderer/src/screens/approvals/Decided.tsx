import { Button, Loader } from '@mantine/core';
import { IconCheck, IconInfoCircle } from '@tabler/icons-react';
import { useEffect, useRef } from 'react';
import { publishFixOf } from '../../../../contract/index.ts';
import type { ApprovalView } from '../../api/types.ts';
import { Ago } from '../../parts/Ago.tsx';
import { ExternalLink } from '../../parts/ExternalLink.tsx';
import { UntrustedText } from '../../parts/UntrustedText.tsx';
import { ExtrasAgain } from './extras/ExtrasAgain.tsx';
import { fixedFor } from './fix/fixedFor.ts';
import { PublishAgain } from './fix/PublishAgain.tsx';
import { PublishFix } from './fix/PublishFix.tsx';
import { isPublish } from './acts.ts';
import { Differences } from './Differences.tsx';
import { isUnderway, stateWords } from './stateWords.ts';
import { Unlock } from './Unlock.tsx';
import { t } from '../../i18n/t.ts';
import { translate } from '../../i18n/language.ts';
import styles from './receipt.module.css';

const Mark = ({ state }: { state: ApprovalView['state'] }) => {
  if (isUnderway(state)) return <Loader size={18} color="gray" aria-hidden />;
  return state === 'done' ? (
    <IconCheck size={20} className={styles.doneMark} aria-hidden />
  ) : (
    <IconInfoCircle size={20} aria-hidden />
  );
};

const pageWords = (route: ApprovalView['route']): string => {
  if (route === 'createPortal') return t('approvals.openBilling');
  return route === 'createCheckoutToken' || route === 'createCheckout'
    ? t('approvals.openCheckout')
    : t('approvals.openListing');
};

/** The listing and the code of a publish that was refused for a reason with a way out. */
const fixOf = ({ route, state, outcome, prompt }: ApprovalView): { listingId: string; code: string } | null => {
  const code = outcome?.code ?? null;
  const listingId = prompt.target?.listingId ?? null;
  if (!isPublish(route) || state === 'done' || listingId === null || code === null) return null;
  return publishFixOf(code) ? { listingId, code } : null;
};

/** What can be done next: the way out of a refusal, or the publish that a step was made for. */
const Onward = ({ approval }: { approval: ApprovalView }) => {
  const fix = fixOf(approval);
  const towards = approval.state === 'done' ? fixedFor(approval.approvalId) : null;
  if (fix)
    return (
      <PublishFix
        {...fix}
        said={approval.outcome && translate(approval.outcome.says, approval.outcome.sentence)}
        since={approval.decidedAt}
      />
    );
  if (towards !== null) return <PublishAgain listingId={towards} />;
  return <ExtrasAgain approval={approval} />;
};

const Outcome = ({ approval }: { approval: ApprovalView }) => (
  <div role="status" className={styles.outcome}>
    <Mark state={approval.state} />
    <div>
      <b>{stateWords(approval)}</b>
      {approval.decidedAt !== null && (
        <span className={styles.small}>
          {' '}
          <Ago at={approval.decidedAt} />
        </span>
      )}
      {approval.outcome && !fixOf(approval) && (
        <p>
          <UntrustedText text={translate(approval.outcome.says, approval.outcome.sentence)} />
        </p>
      )}
      {approval.outcome?.url && (
        <p>
          <ExternalLink url={approval.outcome.url} withAddress>
            {pageWords(approval.route)}
          </ExternalLink>
        </p>
      )}
    </div>
  </div>
);

type Props = {
  approval: ApprovalView;
  more: number;
  busy: boolean;
  onUnlock: () => void;
  onNext: () => void;
  onClose: () => void;
};

/** What came of it, in the place of the answers. */
export const Decided = ({ approval, more, busy, onUnlock, onNext, onClose }: Props) => {
  const close = useRef<HTMLButtonElement>(null);
  useEffect(() => close.current?.focus(), [approval.approvalId]);
  return (
    <div className={styles.foot}>
      <Outcome approval={approval} />
      <Differences approval={approval} />
      {approval.mayUnlock && <Unlock busy={busy} onUnlock={onUnlock} />}
      <Onward key={approval.approvalId} approval={approval} />
      <div className={styles.others}>
        <Button ref={close} data-autofocus onClick={onClose}>
          {t('approvals.close')}
        </Button>
        {more > 0 && (
          <Button variant="quiet" onClick={onNext}>
            {t('approvals.next', { count: more })}
          </Button>
        )}
      </div>
    </div>
  );
};
