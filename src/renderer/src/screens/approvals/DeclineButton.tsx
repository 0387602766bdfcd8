import { Button, Menu } from '@mantine/core';
import { IconChevronDown } from '@tabler/icons-react';
import { t } from '../../i18n/t.ts';
import type { DeclineReason } from './useDecision.ts';
import styles from './receipt.module.css';

/** The reasons, and how they are called; only an assistant can have asked unasked. */
const reasons = (byAssistant: boolean): [DeclineReason, string][] => {
  const always: [DeclineReason, string][] = [
    ['no', t('approvals.no')],
    ['wrong_details', t('approvals.wrongDetails')],
  ];
  return byAssistant ? [...always, ['not_asked_for', t('approvals.notAskedFor')]] : always;
};

type Props = { byAssistant: boolean; busy: boolean; onDecline: (why: DeclineReason) => void };

/** The no, with its reasons. */
export const DeclineButton = ({ byAssistant, busy, onDecline }: Props) => (
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
      {reasons(byAssistant).map(([why, words]) => (
        <Menu.Item key={why} onClick={() => onDecline(why)}>
          {words}
          {why === 'not_asked_for' && <span className={styles.small}> {t('approvals.pausesIt')}</span>}
        </Menu.Item>
      ))}
    </Menu.Dropdown>
  </Menu>
);
