import { ActionIcon, Menu } from '@mantine/core';
import { IconDots } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { t } from '../i18n.ts';

/** The menu of the actions that need no button of their own. */
export const MoreMenu = ({ children }: { children: ReactNode }) => (
  <Menu position="bottom-end">
    <Menu.Target>
      <ActionIcon aria-label={t('items.more')}>
        <IconDots size={18} aria-hidden />
      </ActionIcon>
    </Menu.Target>
    <Menu.Dropdown>{children}</Menu.Dropdown>
  </Menu>
);
