import { t, translate, screens } from '../../i18n.ts';
import { Button } from '@mantine/core';
import { useEffect } from 'react';
import { Link } from 'wouter';
import type { CallAnswer } from '../../../../ipc/calls.ts';
import { RelativeTime } from '../../components/text/RelativeTime.tsx';
import styles from './notifications.module.css';
import { useKeys } from '../../components/Keys.tsx';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { Trans } from 'react-i18next';
import { call, sentenceOf } from '../../api/call.ts';
import { useNotifications } from '../../api/queries.ts';
import { EmptyScreen, Page, ProblemLine } from '../../components/Page.tsx';
import { arranged, isUnread, type Entry, type Notification } from './notificationGroups.ts';
import {
  IconAlertTriangle,
  IconBell,
  IconClockOff,
  IconCoin,
  IconEye,
  IconTag,
  IconUser,
  type Icon,
} from '@tabler/icons-react';
import { entryOf } from '../../../../contract/untrusted.ts';
import { formatMinor, nameSites } from '../../components/text/format.ts';
import { UntrustedText } from '../../components/text/UntrustedText.tsx';

const known = screens.news.kind;
const isKnown = (kind: string): kind is keyof typeof known => Object.hasOwn(known, kind);

/** Formats the kind of a notification. The service may send kinds that are unknown here. */
const kindText = (kind: string | null): string => t(`news.kind.${kind !== null && isKnown(kind) ? kind : 'other'}`);

const signs: Readonly<Record<string, Icon>> = {
  sale: IconCoin,
  published: IconTag,
  listing_ready: IconEye,
  listing_failed: IconAlertTriangle,
  unsold: IconClockOff,
  account: IconUser,
};

export const Sign = ({ kind }: { kind: string | null }) => {
  const Shown = entryOf(signs, kind ?? '') ?? IconBell;
  return <Shown size={18} stroke={1.6} aria-hidden />;
};

const Head = ({ row }: { row: Notification }) => (
  <p className={styles.head}>
    <b>{kindText(row.kind)}</b>
    {row.amount && <b className={styles.amount}>{formatMinor(row.amount.minor, row.amount.currency)}</b>}
    {isUnread(row) && <span className={styles.unread}>{t('news.unread')}</span>}
    {row.at !== null && (
      <span className={styles.when}>
        <RelativeTime at={row.at} />
      </span>
    )}
  </p>
);

/** A notification of the service. Its text is untrusted: shown unchanged, and links are not followed. */
export const NotificationRow = ({ row, onRead }: { row: Notification; onRead: () => void }) => (
  <li className={styles.row} data-unread={isUnread(row) || undefined}>
    <Sign kind={row.kind} />
    <div className={styles.words}>
      <Head row={row} />
      <p>
        <UntrustedText text={nameSites(row.text)} fold={300} />
      </p>
    </div>
    {row.listingId === null ? (
      isUnread(row) && (
        <Button data-news size="compact-sm" variant="quiet" onClick={onRead}>
          {t('news.markRead')}
        </Button>
      )
    ) : (
      <Link data-news href={`/listings/${encodeURIComponent(row.listingId)}`} onClick={onRead}>
        {t('news.open')}
      </Link>
    )}
  </li>
);

type OnRead = (rows: readonly Notification[]) => void;

type GroupProps = { group: Extract<Entry, { kind: 'group' }>; onRead: OnRead };

/** Notifications of the same kind about several listings, folded into one line. */
const Group = ({ group: { of, rows }, onRead }: GroupProps) => {
  const unread = rows.filter(isUnread);
  const at = rows[0]?.at ?? null;
  return (
    <li className={styles.row} data-unread={unread.length > 0 || undefined}>
      <Sign kind={of} />
      <details className={styles.group}>
        <summary data-news>
          <b>{t(`news.group.${of}`, { count: rows.length })}</b>
          {unread.length > 0 && (
            <span className={styles.unread}>{t('news.unreadCount', { count: unread.length })}</span>
          )}
          {at !== null && (
            <span className={styles.when}>
              <RelativeTime at={at} />
            </span>
          )}
        </summary>
        <ul className={styles.rows} aria-label={t(`news.group.${of}`, { count: rows.length })}>
          {rows.map((row) => (
            <NotificationRow key={row.notifId} row={row} onRead={() => onRead([row])} />
          ))}
        </ul>
      </details>
      {unread.length > 0 && (
        <Button size="compact-sm" variant="quiet" onClick={() => onRead(unread)}>
          {t('news.markAllRead')}
        </Button>
      )}
    </li>
  );
};

const Unread = ({ rows, onRead }: { rows: readonly Notification[]; onRead: OnRead }) => {
  const unread = rows.filter(isUnread);
  if (unread.length === 0) return null;
  return (
    <div className={styles.top}>
      <span role="status">{t('news.unreadCount', { count: unread.length })}</span>
      <Button size="compact-sm" variant="quiet" onClick={() => onRead(unread)}>
        {t('news.markAllRead')}
      </Button>
    </div>
  );
};

/** Sales first, with their amounts; then all other notifications, newest first. */
const Lists = ({ rows, onRead }: { rows: readonly Notification[]; onRead: OnRead }) => {
  const { sales, others } = arranged(rows);
  return (
    <>
      {sales.length > 0 && (
        <ul className={styles.rows} aria-label={t('news.sales')}>
          {sales.map((row) => (
            <NotificationRow key={row.notifId} row={row} onRead={() => onRead([row])} />
          ))}
        </ul>
      )}
      {others.length > 0 && (
        <ul className={styles.rows} aria-label={t('news.list')}>
          {others.map((entry) =>
            entry.kind === 'group' ? (
              <Group key={entry.of} group={entry} onRead={onRead} />
            ) : (
              <NotificationRow key={entry.row.notifId} row={entry.row} onRead={() => onRead([entry.row])} />
            ),
          )}
        </ul>
      )}
    </>
  );
};

/** Entries inside a folded group cannot be focused. */
const steps = (): HTMLElement[] =>
  [...document.querySelectorAll<HTMLElement>('[data-news]')].filter((one) => one.checkVisibility());

const move = (by: number): void => {
  const all = steps();
  const at = all.findIndex((one) => one === document.activeElement);
  const next = all[at === -1 ? 0 : at + by];
  next?.focus();
  next?.scrollIntoView({ block: 'nearest' });
};

/** J, K and arrows move through the entries; Enter is handled by the link itself. */
const useNotificationKeys = (): void =>
  useKeys({ j: () => move(1), k: () => move(-1), ArrowDown: () => move(1), ArrowUp: () => move(-1) });

type News = CallAnswer<'notifications.list'>;

/** Marks all notifications as viewed at the service, in one call. */
const useViewed = (fresh: number | undefined) => {
  const { mutate, error } = useMutation({ mutationFn: () => call('notifications.viewed', {}) });
  useEffect(() => {
    if (fresh !== undefined && fresh > 0) mutate();
  }, [fresh, mutate]);
  return error;
};

const Empty = ({ news }: { news: News }) =>
  news.readAt === null ? (
    <p>{news.problem === null && t('news.notYet')}</p>
  ) : (
    <EmptyScreen title={t('news.emptyTitle')}>
      <p>{t('news.empty')}</p>
      <Link href="/">{t('news.firstStep')}</Link>
    </EmptyScreen>
  );

/** The notifications of the service. A notification about a listing links to it. */
export const NotificationsScreen = () => {
  const client = useQueryClient();
  const { data: news } = useNotifications();
  const viewed = useViewed(news?.fresh);
  const read = useMutation({
    mutationFn: async (rows: readonly Notification[]) => {
      for (const { notifId } of rows.filter((row) => row.read !== true))
        client.setQueryData(['notifications'], await call('notifications.read', { notifId }));
    },
  });
  useNotificationKeys();
  const problem = viewed ?? read.error;
  return (
    <Page title={t('news.title')}>
      <div className={styles.all} aria-busy={!news}>
        {news?.problem && <ProblemLine>{translate(news.problem.says, news.problem.sentence)}</ProblemLine>}
        {problem && <ProblemLine>{sentenceOf(problem)}</ProblemLine>}
        {news && news.rows.length === 0 && <Empty news={news} />}
        {news && news.rows.length > 0 && (
          <>
            <Unread rows={news.rows} onRead={(rows) => read.mutate(rows)} />
            <Lists rows={news.rows} onRead={(rows) => read.mutate(rows)} />
            {news.readAt !== null && (
              <p className={styles.small}>
                <Trans i18nKey="news.readAt" components={{ when: <RelativeTime at={news.readAt} /> }} />
              </p>
            )}
          </>
        )}
      </div>
    </Page>
  );
};
