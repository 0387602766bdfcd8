import { useApprovalHistory, useApprovals } from '../../api/queries.ts';
import type { ApprovalView } from '../../api/types.ts';
import { EmptyScreen } from '../../parts/EmptyScreen.tsx';
import { Page } from '../../parts/Page.tsx';
import { ApprovalRow } from './ApprovalRow.tsx';
import { usePrompts } from './PromptHost.tsx';
import { inLine, isWaiting } from './stateWords.ts';
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

/** What waits for the person's answer, and what was answered. */
export const ApprovalsScreen = () => {
  const open = useApprovals().data;
  const decided = useApprovalHistory().data;
  if (!open || !decided) return <Page title="Approvals" />;
  const waiting = inLine(open);
  const unsettled = open.filter((approval) => !isWaiting(approval));
  const history = decided.filter(({ approvalId }) => !open.some((one) => one.approvalId === approvalId));
  return (
    <Page title="Approvals">
      {open.length === 0 && history.length === 0 && (
        <EmptyScreen title="Nothing waits for you">
          <p>
            Before anything is published, paid or undone, the question comes here, with what it costs. Each answer stays
            in a history below it.
          </p>
        </EmptyScreen>
      )}
      <Rows name="Waiting for you" approvals={waiting} />
      <Rows name="Not settled yet" approvals={unsettled} />
      <Rows name="History" approvals={history} />
    </Page>
  );
};
