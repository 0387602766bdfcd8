import { Button } from '@mantine/core';
import { Link } from 'wouter';
import { useApprovals, useBatchNow } from '../../api/queries.ts';
import type { ApprovalView } from '../../api/types.ts';
import { EmptyScreen } from '../../parts/EmptyScreen.tsx';
import { Page } from '../../parts/Page.tsx';
import { ApprovalRow } from './ApprovalRow.tsx';
import { useBatches } from './batch/useBatches.ts';
import { usePrompts } from './usePrompts.ts';
import { Record } from './record/Record.tsx';
import { isOver, isWaiting } from './stateWords.ts';
import { useWaiting } from './useWaiting.ts';
import { t } from '../../i18n/t.ts';
import styles from './approvalRow.module.css';

const Rows = ({ name, approvals }: { name: string; approvals: readonly ApprovalView[] }) => {
  const { show } = usePrompts();
  if (approvals.length === 0) return null;
  return (
    <section aria-label={name}>
      <h2>{name}</h2>
      <ul className={styles.list}>
        {approvals.map((approval) => (
          <ApprovalRow key={approval.approvalId} approval={approval} onShow={show} />
        ))}
      </ul>
    </section>
  );
};

/** The batch that waits, in the same list as single questions. */
const WaitingBatch = () => {
  const { held, show } = useBatches();
  if (!held) return null;
  return (
    <section aria-label={t('approvals.several')}>
      <h2>{t('approvals.several')}</h2>
      <Button onClick={show}>{t('approvals.showSeveral', { count: held.rows.length })}</Button>
    </section>
  );
};

/** What waits for the person's answer, and the record of everything before. */
export const ApprovalsScreen = () => {
  const open = useApprovals().data;
  const waiting = useWaiting();
  const batch = useBatchNow().data;
  if (!open) return <Page title={t('approvals.title')} />;
  const together = new Set(batch?.rows.map(({ approval }) => approval?.approvalId));
  const unsettled = open.filter((one) => !isWaiting(one) && !isOver(one) && !together.has(one.approvalId));
  return (
    <Page title={t('approvals.title')}>
      {waiting.length === 0 && !batch && (
        <EmptyScreen title={t('approvals.emptyTitle')}>
          <p>{t('approvals.empty')}</p>
          <Link href="/">{t('approvals.firstStep')}</Link>
        </EmptyScreen>
      )}
      <WaitingBatch />
      <Rows name={t('approvals.waiting')} approvals={waiting} />
      <Rows name={t('approvals.unsettled')} approvals={unsettled} />
      <Record />
    </Page>
  );
};
