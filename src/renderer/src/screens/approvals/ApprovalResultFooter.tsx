import { Button } from '@mantine/core';
import { t, translateMessage } from '../../i18n.ts';
import styles from './prompt.module.css';
import footerStyles from './promptFooter.module.css';
import { useEffect, useRef } from 'react';
import { findPublishFix } from '../../../../contract/index.ts';
import type { ApprovalView } from '../../api/call.ts';
import { RelativeTime } from '../../components/text/RelativeTime.tsx';
import { replaceSiteNames } from '../../components/text/format.ts';
import { ExternalLink } from '../../components/ExternalLink.tsx';
import { UntrustedText } from '../../components/text/UntrustedText.tsx';
import { ListingItemLink } from './ItemLink.tsx';
import { ExtrasFollowUp } from './ExtrasFollowUp.tsx';
import { findFixTarget } from './fix/useFixRequests.ts';
import { PublishAgainButton } from './fix/EditSteps.tsx';
import { PublishFixSection } from './fix/PublishFix.tsx';
import { isContradictedByListing, isSuccessUnchecked, isPublishRoute } from './approvalText.ts';
import { PromptFoot } from './ApprovalAnswerButtons.tsx';
import { LiveDifferencesAlarm } from './FieldChangesTable.tsx';

type UnlockListingProps = { busy: boolean; onUnlock: () => void };

const UnlockListingSection = ({ busy, onUnlock }: UnlockListingProps) => (
  <div className={footerStyles.unlock}>
    <p>{t('approvals.unlock.means')}</p>
    <div>
      <Button loading={busy} onClick={onUnlock}>
        {t('approvals.unlock.button')}
      </Button>
    </div>
  </div>
);

const formatPageLabel = (route: ApprovalView['route']): string => {
  if (route === 'createPortal') return t('approvals.openBilling');
  return route === 'createCheckoutToken' || route === 'createCheckout'
    ? t('approvals.openCheckout')
    : t('approvals.openListing');
};

const findFixableRefusal = ({
  route,
  state,
  outcome,
  prompt,
}: ApprovalView): { listingId: string; code: string } | null => {
  const code = outcome?.code ?? null;
  const listingId = prompt.target?.listingId ?? null;
  if (!isPublishRoute(route) || state === 'done' || listingId === null || code === null) return null;
  return findPublishFix(code) ? { listingId, code } : null;
};

const NextStepSection = ({ approval }: { approval: ApprovalView }) => {
  const fix = findFixableRefusal(approval);
  const publishListingId = approval.state === 'done' ? findFixTarget(approval.approvalId) : null;
  if (fix)
    return (
      <PublishFixSection
        {...fix}
        sentence={approval.outcome && translateMessage(approval.outcome.says, approval.outcome.sentence)}
        since={approval.decidedAt}
      />
    );
  if (publishListingId !== null) return <PublishAgainButton listingId={publishListingId} />;
  return <ExtrasFollowUp approval={approval} />;
};

const ApprovalOutcomeSection = ({ approval }: { approval: ApprovalView }) => (
  <div className={footerStyles.outcome}>
    {approval.outcome && !findFixableRefusal(approval) && (
      <p>
        <UntrustedText text={replaceSiteNames(translateMessage(approval.outcome.says, approval.outcome.sentence))} />
      </p>
    )}
    {(isContradictedByListing(approval) || isSuccessUnchecked(approval)) && approval.prompt.target?.listingId && (
      <p>
        <ListingItemLink listingId={approval.prompt.target.listingId} />
      </p>
    )}
    <p className={styles.small}>
      {approval.confirmedBy !== null && `${t(`proof.by.${approval.confirmedBy}`)} · `}
      {approval.decidedAt !== null && <RelativeTime at={approval.decidedAt} />}
    </p>
  </div>
);

type ApprovalResultProps = {
  approval: ApprovalView;
  more: number;
  busy: boolean;
  onUnlock: () => void;
  onNext: () => void;
  onClose: () => void;
};

export const ApprovalResultFooter = ({ approval, more, busy, onUnlock, onNext, onClose }: ApprovalResultProps) => {
  const close = useRef<HTMLButtonElement>(null);
  const next = useRef<HTMLButtonElement>(null);
  useEffect(() => (next.current ?? close.current)?.focus(), [approval.approvalId]);
  return (
    <PromptFoot prompt={approval.prompt}>
      <ApprovalOutcomeSection approval={approval} />
      <LiveDifferencesAlarm approval={approval} />
      {approval.mayUnlock && <UnlockListingSection busy={busy} onUnlock={onUnlock} />}
      <NextStepSection key={approval.approvalId} approval={approval} />
      <div className={footerStyles.others}>
        {approval.outcome?.url && (
          <ExternalLink asButton url={approval.outcome.url}>
            {formatPageLabel(approval.route)}
          </ExternalLink>
        )}
        <Button ref={close} data-autofocus onClick={onClose}>
          {t('approvals.close')}
        </Button>
        {more > 0 && (
          <Button ref={next} variant="quiet" onClick={onNext}>
            {t('approvals.next', { count: more })}
          </Button>
        )}
      </div>
    </PromptFoot>
  );
};
