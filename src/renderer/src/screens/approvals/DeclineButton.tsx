import { Button, Menu } from '@mantine/core';
import { IconChevronDown } from '@tabler/icons-react';
import type { CallInput } from '../../../../ipc/calls.ts';
import { t } from '../../i18n/t.ts';
import styles from './receipt.module.css';

export type Why = NonNullable<CallInput<'approvals.decline'>['why']>;

const whys = (byAssistant: boolean): [Why, string][] => [
  ['no', t('approvals.no')],
  ['wrong_details', t('approvals.wrongDetails')],
  ...(byAssistant ? ([['not_asked_for', t('approvals.notAskedFor')]] as [Why, string][]) : []),
];

type Props = { byAssistant: boolean; busy: boolean; onDecline: (why: Why) => void };

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
      {whys(byAssistant).map(([why, words]) => (
        <Menu.Item key={why} onClick={() => onDecline(why)}>
          {words}
          {why === 'not_asked_for' && <span className={styles.small}> {t('approvals.pausesIt')}</span>}
        </Menu.Item>
      ))}
    </Menu.Dropdown>
  </Menu>
);
