import { Button, Loader } from '@mantine/core';
import { t, translate } from '../../i18n.ts';
import styles from './receipt.module.css';
import { IconAlertTriangle, IconCheck, IconInfoCircle } from '@tabler/icons-react';
import { useEffect, useRef } from 'react';
import { publishFixOf } from '../../../../contract/index.ts';
import type { ApprovalView } from '../../api/call.ts';
import { RelativeTime } from '../../components/text/RelativeTime.tsx';
import { nameSites } from '../../components/text/format.ts';
import { ExternalLink } from '../../components/ExternalLink.tsx';
import { UntrustedText } from '../../components/text/UntrustedText.tsx';
import { ItemLink } from './ItemLink.tsx';
import { ExtrasAgain } from './ExtrasAgain.tsx';
import { fixedFor } from './fix/useFix.ts';
import { PublishAgain } from './fix/EditSteps.tsx';
import { PublishFix } from './fix/PublishFix.tsx';
import { isContradicted, isUnchecked, isPublish, isUnderway, stateText } from './approvalText.ts';
import { Differences } from './Changes.tsx';

type UnlockProps = { busy: boolean; onUnlock: () => void };

/** Unlocks a listing whose outcome has been unknown for ten minutes, and explains the consequences. */
const Unlock = ({ busy, onUnlock }: UnlockProps) => (
  <div className={styles.unlock}>
    <p>{t('approvals.unlock.means')}</p>
    <div>
      <Button loading={busy} onClick={onUnlock}>
        {t('approvals.unlock.button')}
      </Button>
    </div>
  </div>
);

const Mark = ({ approval }: { approval: ApprovalView }) => {
  const { state } = approval;
  if (isContradicted(approval)) return <IconAlertTriangle size={20} className={styles.lookMark} aria-hidden />;
  if (isUnderway(state)) return <Loader size={18} color="gray" aria-hidden />;
  return state === 'done' && !isUnchecked(approval) ? (
    <IconCheck size={20} className={styles.doneMark} aria-hidden />
  ) : (
    <IconInfoCircle size={20} aria-hidden />
  );
};

const pageText = (route: ApprovalView['route']): string => {
  if (route === 'createPortal') return t('approvals.openBilling');
  return route === 'createCheckoutToken' || route === 'createCheckout'
    ? t('approvals.openCheckout')
    : t('approvals.openListing');
};

/** Returns the listing and the error code of a refused publish if a fix exists for the code. */
const fixOf = ({ route, state, outcome, prompt }: ApprovalView): { listingId: string; code: string } | null => {
  const code = outcome?.code ?? null;
  const listingId = prompt.target?.listingId ?? null;
  if (!isPublish(route) || state === 'done' || listingId === null || code === null) return null;
  return publishFixOf(code) ? { listingId, code } : null;
};

/** The next step: the fix for a refusal, or the publish for which a fix was made. */
const Onward = ({ approval }: { approval: ApprovalView }) => {
  const fix = fixOf(approval);
  const towards = approval.state === 'done' ? fixedFor(approval.approvalId) : null;
  if (fix)
    return (
      <PublishFix
        {...fix}
        sentence={approval.outcome && translate(approval.outcome.says, approval.outcome.sentence)}
        since={approval.decidedAt}
      />
    );
  if (towards !== null) return <PublishAgain listingId={towards} />;
  return <ExtrasAgain approval={approval} />;
};

const Outcome = ({ approval }: { approval: ApprovalView }) => (
  <div role="status" className={styles.outcome}>
    <Mark approval={approval} />
    <div>
      <b>{stateText(approval)}</b>
      {approval.decidedAt !== null && (
        <span className={styles.small}>
          {' '}
          <RelativeTime at={approval.decidedAt} />
        </span>
      )}
      {approval.outcome && !fixOf(approval) && (
        <p>
          <UntrustedText text={nameSites(translate(approval.outcome.says, approval.outcome.sentence))} />
        </p>
      )}
      {(isContradicted(approval) || isUnchecked(approval)) && approval.prompt.target?.listingId && (
        <p>
          <ItemLink listingId={approval.prompt.target.listingId} />
        </p>
      )}
      {approval.outcome?.url && (
        <p>
          {isPublish(approval.route) ? (
            <ExternalLink withHost url={approval.outcome.url}>
              {pageText(approval.route)}
            </ExternalLink>
          ) : (
            <ExternalLink url={approval.outcome.url} withAddress>
              {pageText(approval.route)}
            </ExternalLink>
          )}
        </p>
      )}
    </div>
  </div>
);

type DecidedProps = {
  approval: ApprovalView;
  more: number;
  busy: boolean;
  onUnlock: () => void;
  onNext: () => void;
  onClose: () => void;
};

/** The outcome of an approval; it replaces the answer buttons. */
export const Decided = ({ approval, more, busy, onUnlock, onNext, onClose }: DecidedProps) => {
  const close = useRef<HTMLButtonElement>(null);
  const next = useRef<HTMLButtonElement>(null);
  // Focuses the next prompt if there is one, else the close button.
  useEffect(() => (next.current ?? close.current)?.focus(), [approval.approvalId]);
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
          <Button ref={next} variant="quiet" onClick={onNext}>
            {t('approvals.next', { count: more })}
          </Button>
        )}
      </div>
    </div>
  );
};
