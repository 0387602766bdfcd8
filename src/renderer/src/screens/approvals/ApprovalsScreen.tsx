import { IconReceipt } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import type { ApprovalView, BatchView } from '../../api/call.ts';
import { RelativeTime, TimeLeft } from '../../components/text/RelativeTime.tsx';
import { UntrustedText } from '../../components/text/UntrustedText.tsx';
import {
  promptText,
  titleOf,
  mainFactOf,
  askerOf,
  nameOriginOf,
  isWaiting,
  stateText,
  isOver,
  idsInBatches,
  type Question,
} from './approvalText.ts';
import { batchHeading, tickedRows, sumText, totalsOfRows } from './batch/batchRows.ts';
import { feesName, feeText } from './Facts.tsx';
import { t } from '../../i18n.ts';
import { Picture } from '../../components/Picture.tsx';
import styles from './approvalRow.module.css';
import { Link } from 'wouter';
import { useApprovals, useBatchList } from '../../api/queries.ts';
import { EmptyScreen, Page } from '../../components/Page.tsx';
import { usePrompts, useAlarms, useWaitingQuestions } from './useQuestions.ts';
import { Record } from './record/Record.tsx';

const Left = ({ until }: { until: number }) => <TimeLeft until={until} everyMs={5_000} className={styles.left} />;

/** The subject of a row; null for an approval without a listing, such as extras. */
type Target = Pick<NonNullable<ApprovalView['prompt']['target']>, 'photoUrl'> | null;

const RowPicture = ({ target }: { target: Target }) => {
  if (target === null)
    return (
      <span className={styles.sign}>
        <IconReceipt size={24} aria-hidden />
      </span>
    );
  return target.photoUrl === null ? (
    <span className={styles.noPhoto} />
  ) : (
    <Picture src={target.photoUrl} alt="" width={48} height={48} />
  );
};

type RowProps = {
  target: Target;
  act: string;
  title: string | null;
  mainFact: string | null;
  asked: Pick<ApprovalView, 'by' | 'askedAt'> & { quiet?: boolean };
  /** The label of the fee, so that it is not mistaken for the price of the listing. */
  feeName: string;
  fee: string;
  state: string;
  end: ReactNode;
  onShow: () => void;
};

const Row = ({ target, act, title, mainFact, asked, feeName, fee, state, end, onShow }: RowProps) => (
  <li>
    <button type="button" className={styles.row} onClick={onShow}>
      <RowPicture target={target} />
      <span className={styles.what}>
        <b>
          <UntrustedText text={act} fold={10_000} flag={false} />
        </b>
        {title !== null && (
          <span className={styles.title}>
            <UntrustedText text={title} fold={10_000} flag={false} />
          </span>
        )}
        {mainFact !== null && (
          <span className={styles.fact}>
            <UntrustedText text={mainFact} fold={10_000} flag={false} />
          </span>
        )}
        <span className={styles.soft}>
          <UntrustedText text={askerOf(asked)} fold={10_000} flag={false} /> ·{' '}
          {asked.by.kind === 'assistant' && `${nameOriginOf(asked)} · `}
          <RelativeTime at={asked.askedAt} />
        </span>
      </span>
      <span className={styles.end}>
        {fee !== '' && (
          <span>
            <span className={styles.feeName}>{feeName}</span> <b>{fee}</b>
          </span>
        )}
        <span data-state={state} className={styles.state}>
          {end}
        </span>
      </span>
    </button>
  </li>
);

const standOf = (approval: ApprovalView): ReactNode => {
  if (approval.differences.length > 0) return t('approvals.differs.short');
  return isWaiting(approval) ? <Left until={approval.expiresAt} /> : stateText(approval);
};

/** One approval as a row: photo, act, state and total. A click opens its prompt. */
export const ApprovalRow = ({ approval, onShow }: { approval: ApprovalView; onShow: (id: string) => void }) => (
  <Row
    target={approval.prompt.target}
    act={promptText(approval.prompt, 'act')}
    title={approval.prompt.target && titleOf(approval.prompt)}
    mainFact={mainFactOf(approval.prompt)}
    asked={approval}
    feeName={feesName(approval.prompt.money)}
    fee={feeText(approval.prompt.money)}
    state={approval.differences.length > 0 ? 'differs' : approval.state}
    end={standOf(approval)}
    onShow={() => onShow(approval.approvalId)}
  />
);

export const WaitingBatchRow = ({ batch, onShow }: { batch: BatchView; onShow: (id: string) => void }) => {
  const off = usePrompts().offOf(batch.batchId);
  const first = batch.rows.find(({ approval }) => approval !== null)?.approval;
  return (
    <Row
      target={first?.prompt.target ?? { photoUrl: null }}
      act={batchHeading(batch, off)}
      title={null}
      mainFact={null}
      asked={batch}
      feeName={t('approvals.fees.total')}
      fee={sumText(totalsOfRows(tickedRows(batch.rows, off)))}
      state="pending"
      end={first ? <Left until={first.expiresAt} /> : ''}
      onShow={() => onShow(batch.batchId)}
    />
  );
};

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

/** Shows the alarms, the pending approvals and the record of all earlier ones. */
export const ApprovalsScreen = () => {
  const open = useApprovals().data;
  const batches = useBatchList().data;
  const alarms = useAlarms();
  const waiting = useWaitingQuestions();
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
