import { Link } from 'wouter';
import { useApprovals, useBatchList } from '../../api/queries.ts';
import type { ApprovalView } from '../../api/types.ts';
import { EmptyScreen } from '../../parts/EmptyScreen.tsx';
import { Page } from '../../parts/Page.tsx';
import { ApprovalRow, WaitingBatchRow } from './ApprovalRow.tsx';
import { idsInBatches, type Question } from './questions.ts';
import { usePrompts } from './usePrompts.ts';
import { Record } from './record/Record.tsx';
import { isOver, isWaiting } from './stateWords.ts';
import { useAlarms } from './useAlarms.ts';
import { useWaiting } from './useWaiting.ts';
import { t } from '../../i18n/t.ts';
import styles from './approvalRow.module.css';

const alone = (approval: ApprovalView): Question => ({ kind: 'one', id: approval.approvalId, approval });

const Rows = ({ name, questions }: { name: string; questions: readonly Question[] }) => {
  const { show, showBatch } = usePrompts();
  if (questions.length === 0) return null;
  return (
    <section aria-label={name}>
      <h2>{name}</h2>
      <ul className={styles.list}>
        {questions.map((question) =>
          question.kind === 'one' ? (
            <ApprovalRow key={question.id} approval={question.approval} onShow={show} />
          ) : (
            <WaitingBatchRow key={question.id} batch={question.batch} onShow={showBatch} />
          ),
        )}
      </ul>
    </section>
  );
};

/** What needs a look, what waits for the person's answer, and the record of everything before. */
export const ApprovalsScreen = () => {
  const open = useApprovals().data;
  const batches = useBatchList().data;
  const alarms = useAlarms();
  const waiting = useWaiting();
  if (!open || !batches) return <Page title={t('approvals.title')} />;
  const together = idsInBatches(batches);
  const unsettled = open.filter((one) => !isWaiting(one) && !isOver(one) && !together.has(one.approvalId));
  return (
    <Page title={t('approvals.title')}>
      {waiting.length === 0 && alarms.length === 0 && (
        <EmptyScreen title={t('approvals.emptyTitle')}>
          <p>{t('approvals.empty')}</p>
          <Link href="/">{t('approvals.firstStep')}</Link>
        </EmptyScreen>
      )}
      <Rows name={t('approvals.differs.several')} questions={alarms.map(alone)} />
      <Rows name={t('approvals.waiting')} questions={waiting} />
      <Rows name={t('approvals.unsettled')} questions={unsettled.map(alone)} />
      <Record />
    </Page>
  );
};
