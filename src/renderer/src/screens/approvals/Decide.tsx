import { Button, Menu } from '@mantine/core';
import { IconChevronDown } from '@tabler/icons-react';
import { useEffect, useRef } from 'react';
import type { ApprovalView, Prompt } from '../../api/types.ts';
import { Said } from '../../parts/Said.tsx';
import type { CallInput } from '../../../../ipc/calls.ts';
import { plainly } from '../../parts/said.ts';
import { Fewer } from './extras/Fewer.tsx';
import { Undo } from './Undo.tsx';
import { t } from '../../i18n/t.ts';
import { asked } from '../../parts/promptWords.ts';
import styles from './receipt.module.css';

export type Why = NonNullable<CallInput<'approvals.decline'>['why']>;

type Props = {
  approval: ApprovalView;
  armed: boolean;
  busy: boolean;
  onYes: () => void;
  onDecline: (why: Why) => void;
  onLater: () => void;
  onShow: (approvalId: string) => void;
};

const whys = (byAssistant: boolean): [Why, string][] => [
  ['no', t('approvals.no')],
  ['wrong_details', t('approvals.wrongDetails')],
  ...(byAssistant ? ([['not_asked_for', t('approvals.notAskedFor')]] as [Why, string][]) : []),
];

const Decline = ({ approval, busy, onDecline }: Pick<Props, 'approval' | 'busy' | 'onDecline'>) => (
  <Menu position="top-start">
    <Menu.Target>
      <Button
        variant="quiet"
        size="md"
        px="sm"
        disabled={busy}
        rightSection={<IconChevronDown size={14} aria-hidden />}
      >
        {t('approvals.decline')}
      </Button>
    </Menu.Target>
    <Menu.Dropdown>
      {whys(approval.by.kind === 'assistant').map(([why, words]) => (
        <Menu.Item key={why} onClick={() => onDecline(why)}>
          {words}
          {why === 'not_asked_for' && <span className={styles.small}> {t('approvals.pausesIt')}</span>}
        </Menu.Item>
      ))}
    </Menu.Dropdown>
  </Menu>
);

/** What the yes also agrees to, and that it is for good: beside the yes, where it cannot be scrolled away. */
const Binding = ({ prompt }: { prompt: Prompt }) => (
  <>
    {prompt.feeNotice && (
      <section className={styles.notice} aria-label={t('approvals.feeNotice')}>
        <Said text={asked(prompt, 'feeNotice')} />
      </section>
    )}
    {prompt.final && <Undo prompt={prompt} />}
  </>
);

/** The answers. The focus starts on "Not now", also when what is shown has changed. */
export const Decide = ({ approval, armed, busy, onYes, onDecline, onLater, onShow }: Props) => {
  const later = useRef<HTMLButtonElement>(null);
  useEffect(() => later.current?.focus(), [approval.approvalId, approval.digest]);
  return (
    <div className={styles.foot}>
      <Binding prompt={approval.prompt} />
      <Fewer approval={approval} onShow={onShow} />
      <div className={styles.answers}>
        <Button ref={later} data-autofocus size="md" onClick={onLater}>
          {t('approvals.notNow')}
        </Button>
        <Decline approval={approval} busy={busy} onDecline={onDecline} />
        <Button
          className={styles.yes}
          variant="filled"
          color={approval.prompt.final ? 'red' : 'green'}
          size="md"
          disabled={!armed || busy}
          loading={busy}
          onClick={onYes}
        >
          {plainly(asked(approval.prompt, 'yes'))}
        </Button>
      </div>
    </div>
  );
};
