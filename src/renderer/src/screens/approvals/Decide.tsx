import { Button } from '@mantine/core';
import { useEffect, useRef } from 'react';
import type { ApprovalView } from '../../api/types.ts';
import { UntrustedText } from '../../parts/UntrustedText.tsx';
import { plainly } from '../../parts/untrustedText.ts';
import { DeclineButton } from './DeclineButton.tsx';
import { Fewer } from './extras/Fewer.tsx';
import { FootLine } from './FootLine.tsx';
import { t } from '../../i18n/t.ts';
import { asked } from '../../parts/promptWords.ts';
import type { DeclineReason } from './useDecision.ts';
import styles from './receipt.module.css';

type Props = {
  approval: ApprovalView;
  armed: boolean;
  busy: boolean;
  /** How many wait after this one. */
  more: number;
  onYes: () => void;
  onDecline: (why: DeclineReason) => void;
  onLater: () => void;
  onShow: (approvalId: string) => void;
};

/** The answers, and above them what the yes also agrees to. The focus starts on "Not now", also when what is shown has changed. */
export const Decide = ({ approval, armed, busy, more, onYes, onDecline, onLater, onShow }: Props) => {
  const { prompt } = approval;
  const later = useRef<HTMLButtonElement>(null);
  useEffect(() => later.current?.focus(), [approval.approvalId, approval.digest]);
  return (
    <div className={styles.foot}>
      {prompt.feeNotice && (
        <section className={styles.notice} aria-label={t('approvals.feeNotice')}>
          <UntrustedText text={asked(prompt, 'feeNotice')} />
        </section>
      )}
      <Fewer approval={approval} onShow={onShow} />
      <FootLine final={prompt.final} until={approval.expiresAt} more={more} />
      <div className={styles.answers}>
        <Button ref={later} data-autofocus size="md" onClick={onLater}>
          {t('approvals.notNow')}
        </Button>
        <DeclineButton byAssistant={approval.by.kind === 'assistant'} busy={busy} onDecline={onDecline} />
        <Button
          className={styles.yes}
          variant="filled"
          color={prompt.final ? 'red' : 'green'}
          size="md"
          disabled={!armed || busy}
          loading={busy}
          onClick={onYes}
        >
          {plainly(asked(prompt, 'yes'))}
        </Button>
      </div>
    </div>
  );
};
