import { Button } from '@mantine/core';
import { useEffect, useRef } from 'react';
import { sentenceOf } from '../../../api/callError.ts';
import type { BatchView } from '../../../api/types.ts';
import { ProblemLine } from '../../../parts/ProblemLine.tsx';
import { Hold } from '../Hold.tsx';
import type { Question } from '../questions.ts';
import type { OpenPrompt } from '../usePrompts.ts';
import { AskingBatch } from './AskingBatch.tsx';
import { heldWords } from './batchGroups.ts';
import { endWords, isSending, tickedOf } from './batchRows.ts';
import type { BatchActs } from './useBatchActs.ts';
import { t } from '../../../i18n/t.ts';
import receipt from '../receipt.module.css';
import styles from './batch.module.css';

type Props = {
  batch: BatchView;
  off: ReadonlySet<string>;
  acts: BatchActs;
  /** What waits besides this one. */
  others: readonly Question[];
  onFollow: (to: OpenPrompt) => void;
  onClose: () => void;
};

/** While it is sent. The focus goes to what changes nothing. */
const Under = ({ batch, acts, onClose }: Props) => {
  const hide = useRef<HTMLButtonElement>(null);
  useEffect(() => hide.current?.focus(), []);
  const stopping = batch.state === 'stopping';
  return (
    <div className={receipt.others}>
      <Button size="md" disabled={stopping || acts.stop.isPending} onClick={() => acts.stop.mutate()}>
        {stopping ? t('approvals.batch.stopping') : t('approvals.batch.stop')}
      </Button>
      <Button ref={hide} data-autofocus size="md" variant="quiet" onClick={onClose}>
        {t('approvals.batch.background')}
      </Button>
    </div>
  );
};

/** After it. What waits besides is the next one. */
const Over = ({ acts, others, onFollow }: Props) => {
  const close = useRef<HTMLButtonElement>(null);
  useEffect(() => close.current?.focus(), []);
  const [next] = others;
  return (
    <div className={receipt.others}>
      <Button
        ref={close}
        data-autofocus
        size="md"
        disabled={acts.close.isPending}
        onClick={() => acts.close.mutate('no')}
      >
        {t('approvals.close')}
      </Button>
      {next && (
        <Button
          size="md"
          variant="quiet"
          disabled={acts.close.isPending}
          onClick={() => {
            onFollow(next);
            acts.close.mutate('no');
          }}
        >
          {t('approvals.next', { count: others.length })}
        </Button>
      )}
    </div>
  );
};

/** The answers to a batch; while it is held, how to take it back; while it is sent, how to stop; after it, how to close it. */
export const BatchFoot = (props: Props) => {
  const { batch, off, acts, others, onClose } = props;
  const { heldUntil } = batch;
  const sending = isSending(batch);
  const asking = !sending && (batch.state === 'waiting' || tickedOf(batch.rows, off).length > 0);
  const problem = acts.problem && <ProblemLine>{sentenceOf(acts.problem)}</ProblemLine>;
  if (batch.state === 'held' && heldUntil !== null)
    return (
      <>
        {problem}
        <Hold
          until={heldUntil}
          words={(s) => heldWords(batch, s)}
          busy={acts.takeBack.isPending}
          onTakeBack={() => acts.takeBack.mutate()}
          onClose={onClose}
        />
      </>
    );
  return (
    <div className={receipt.foot}>
      {problem}
      <p role="status" className={styles.status}>
        {batch.state === 'waiting' ? '' : `${endWords(batch, off)}.`}
      </p>
      {asking && <AskingBatch batch={batch} off={off} acts={acts} more={others.length} onLater={onClose} />}
      {sending && <Under {...props} />}
      {!asking && !sending && <Over {...props} />}
    </div>
  );
};
