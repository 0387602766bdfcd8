import { Tooltip } from '@mantine/core';
import { IconBell } from '@tabler/icons-react';
import { Link, useLocation } from 'wouter';
import { useNotifications } from '../api/queries.ts';
import { t } from '../i18n/t.ts';
import styles from './frame.module.css';

/** The way to the notifications, with how many are new. */
export const Bell = () => {
  const [path] = useLocation();
  const count = useNotifications().data?.fresh ?? 0;
  const name = t('app.notifications');
  return (
    <Tooltip label={name} position="right">
      <Link
        href="/notifications"
        className={styles.bell}
        aria-current={path === '/notifications' ? 'page' : undefined}
        aria-label={count > 0 ? t('app.withNew', { place: name, count }) : name}
      >
        <IconBell size={20} stroke={1.6} aria-hidden />
        {count > 0 && <span className={styles.count}>{count}</span>}
      </Link>
    </Tooltip>
  );
};
