import { Button } from '@mantine/core';
import { useEffect, useRef } from 'react';
import type { BatchView } from '../../../api/types.ts';
import { UntrustedText } from '../../../parts/UntrustedText.tsx';
import { plainly } from '../../../parts/untrustedText.ts';
import { DeclineButton } from '../DeclineButton.tsx';
import { FootLine } from '../FootLine.tsx';
import { useArmed } from '../useArmed.ts';
import { noticesOf, shownOf, tickedOf } from './batchRows.ts';
import { BatchTotal } from './BatchTotal.tsx';
import { totalsOfRows, yesOf } from './totals.ts';
import type { BatchActs } from './useBatchActs.ts';
import { t } from '../../../i18n/t.ts';
import receipt from '../receipt.module.css';

type Props = { batch: BatchView; off: ReadonlySet<string>; acts: BatchActs; more: number; onLater: () => void };

const everyRow: ReadonlySet<string> = new Set();

/** The answers to a batch, and above them the total and what the yes also agrees to. */
export const AskingBatch = ({ batch, off, acts, more, onLater }: Props) => {
  const later = useRef<HTMLButtonElement>(null);
  const shown = shownOf(batch);
  const armed = useArmed(shown);
  const ticked = tickedOf(batch.rows, off);
  const isFinal = ticked.some(({ approval }) => approval.prompt.final);
  const busy = acts.approve.isPending || acts.close.isPending;
  const until = Math.min(...tickedOf(batch.rows, everyRow).map(({ approval }) => approval.expiresAt));
  useEffect(() => later.current?.focus(), [shown]);
  return (
    <>
      {noticesOf(ticked).map((notice) => (
        <section key={notice} className={receipt.notice} aria-label={t('approvals.feeNotice')}>
          <UntrustedText text={notice} />
        </section>
      ))}
      <BatchTotal totals={totalsOfRows(ticked)} />
      {Number.isFinite(until) && <FootLine final={isFinal} until={until} more={more} />}
      <div className={receipt.answers}>
        <Button ref={later} data-autofocus size="md" onClick={onLater}>
          {t('approvals.notNow')}
        </Button>
        <DeclineButton byAssistant={batch.by.kind === 'assistant'} busy={busy} onDecline={acts.close.mutate} />
        <Button
          className={receipt.yes}
          variant="filled"
          color={isFinal ? 'red' : 'green'}
          size="md"
          disabled={!armed || busy || ticked.length === 0}
          loading={acts.approve.isPending}
          onClick={() =>
            acts.approve.mutate(
              ticked.map(({ approval }) => ({ approvalId: approval.approvalId, digest: approval.digest })),
            )
          }
        >
          {plainly(yesOf(ticked))}
        </Button>
      </div>
    </>
  );
};
