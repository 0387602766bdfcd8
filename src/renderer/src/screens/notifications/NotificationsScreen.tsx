import { t, translateMessage, screens } from '../../i18n.ts';
import { Button } from '@mantine/core';
import { useEffect } from 'react';
import { Link } from 'wouter';
import type { CallAnswer } from '../../../../ipc/calls.ts';
import { RelativeTime } from '../../components/text/RelativeTime.tsx';
import styles from './notifications.module.css';
import { useRowKeys } from '../../components/lists/useRowKeys.ts';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { Trans } from 'react-i18next';
import { callCore } from '../../api/call.ts';
import { useServiceNotifications } from '../../api/queries.ts';
import { EmptyScreen, ScreenPage, ErrorLine, ProblemLine } from '../../components/ScreenPage.tsx';
import {
  groupNotifications,
  isNotificationUnread,
  type NotificationEntry,
  type Notification,
} from './notificationGroups.ts';
import {
  IconAlertTriangle,
  IconBell,
  IconChevronRight,
  IconClockOff,
  IconCoin,
  IconEye,
  IconTag,
  IconUser,
  type Icon,
} from '@tabler/icons-react';
import { findOwnEntry } from '../../../../contract/untrusted.ts';
import { formatMinorAmount, replaceSiteNames } from '../../components/text/format.ts';
import { CorePicture } from '../../components/CorePicture.tsx';
import { ShelfPlace } from '../../components/text/ShelfPlace.tsx';
import { escapeHiddenText, UntrustedText } from '../../components/text/UntrustedText.tsx';

const known = screens.news.kind;
const isKnownKind = (kind: string): kind is keyof typeof known => Object.hasOwn(known, kind);

const formatKindLabel = (kind: string | null): string =>
  t(`news.kind.${kind !== null && isKnownKind(kind) ? kind : 'other'}`);

const kindIcons: Readonly<Record<string, Icon>> = {
  sale: IconCoin,
  published: IconTag,
  listing_ready: IconEye,
  listing_failed: IconAlertTriangle,
  unsold: IconClockOff,
  account: IconUser,
};

export const NotificationIcon = ({ kind }: { kind: string | null }) => {
  const Shown = findOwnEntry(kindIcons, kind ?? '') ?? IconBell;
  return <Shown size={18} stroke={1.6} aria-hidden />;
};

const NotificationPicture = ({ row }: { row: Notification }) => {
  const photoUrl = row.listing?.photoUrl ?? null;
  return (
    <span className={styles.picture}>
      {photoUrl === null ? (
        <NotificationIcon kind={row.kind} />
      ) : (
        <CorePicture src={photoUrl} alt="" width={40} height={40} loading="lazy" />
      )}
    </span>
  );
};

/** The words below the title: a sale names its buyer, and other notifications repeat the service's text. */
const getDetail = ({ listing, buyer, text }: Notification): string | null => {
  if (listing?.title == null) return null;
  return buyer ?? replaceSiteNames(text);
};

const NotificationTexts = ({ row }: { row: Notification }) => {
  const detail = getDetail(row);
  return (
    <span className={styles.texts}>
      <span className={styles.title}>
        {row.kind === 'sale' && <ShelfPlace shelf={row.listing?.shelf ?? null} />}
        <UntrustedText text={detail === null ? replaceSiteNames(row.text) : (row.listing?.title ?? '')} fold={300} />
      </span>
      <span className={styles.detail}>
        {formatKindLabel(row.kind)}
        {detail !== null && (
          <>
            {' · '}
            <UntrustedText text={detail} fold={300} />
          </>
        )}
        {row.at !== null && (
          <>
            {' · '}
            <RelativeTime at={row.at} />
          </>
        )}
      </span>
    </span>
  );
};

const UnreadDot = ({ unread }: { unread: boolean }) => (
  <span className={styles.dot} data-unread={unread || undefined}>
    {unread && <span className="unseen">{t('news.unread')}</span>}
  </span>
);

/** The text is untrusted, so it is shown as plain text, without links. */
export const NotificationRow = ({ row, onRead }: { row: Notification; onRead: () => void }) => {
  const unread = isNotificationUnread(row);
  return (
    <li className={styles.row} data-unread={unread || undefined}>
      <UnreadDot unread={unread} />
      <NotificationPicture row={row} />
      <NotificationTexts row={row} />
      {row.amount && <b className={styles.amount}>{formatMinorAmount(row.amount.minor, row.amount.currency)}</b>}
      {row.listingId === null ? (
        unread && (
          <Button data-row size="compact-sm" variant="quiet" onClick={onRead}>
            {t('news.markRead')}
          </Button>
        )
      ) : (
        <Link
          data-row
          className={styles.open}
          href={`/listings/${encodeURIComponent(row.listingId)}`}
          aria-label={t('news.openOf', {
            name: escapeHiddenText(row.listing?.title ?? row.text),
          })}
          onClick={onRead}
        />
      )}
    </li>
  );
};

type OnRead = (rows: readonly Notification[]) => void;

type NotificationGroupProps = { group: Extract<NotificationEntry, { kind: 'group' }>; onRead: OnRead };

const NotificationGroup = ({ group: { of, rows }, onRead }: NotificationGroupProps) => {
  const unread = rows.filter(isNotificationUnread);
  const at = rows[0]?.at ?? null;
  const name = t(`news.group.${of}`, { count: rows.length });
  return (
    <li className={styles.group} data-unread={unread.length > 0 || undefined}>
      <details>
        <summary data-row className={styles.row}>
          <UnreadDot unread={unread.length > 0} />
          <span className={styles.picture}>
            <NotificationIcon kind={of} />
          </span>
          <span className={styles.texts}>
            <span className={styles.title}>{name}</span>
            <span className={styles.detail}>
              {[
                unread.length > 0 ? t('news.unreadCount', { count: unread.length }) : null,
                at === null ? null : <RelativeTime key="at" at={at} />,
              ]
                .filter((part) => part !== null)
                .flatMap((part, place) => (place === 0 ? [part] : [' · ', part]))}
            </span>
          </span>
          <IconChevronRight size={16} aria-hidden className={styles.chevron} />
        </summary>
        <ul className={styles.rows} aria-label={name}>
          {rows.map((row) => (
            <NotificationRow key={row.notifId} row={row} onRead={() => onRead([row])} />
          ))}
        </ul>
        {unread.length > 0 && (
          <div className={styles.groupFoot}>
            <Button size="compact-sm" variant="quiet" onClick={() => onRead(unread)}>
              {t('news.markAllRead')}
            </Button>
          </div>
        )}
      </details>
    </li>
  );
};

const UnreadSummary = ({ rows, onRead }: { rows: readonly Notification[]; onRead: OnRead }) => {
  const unread = rows.filter(isNotificationUnread);
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

const NotificationLists = ({ rows, onRead }: { rows: readonly Notification[]; onRead: OnRead }) => {
  const { sales, others } = groupNotifications(rows);
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
              <NotificationGroup key={entry.of} group={entry} onRead={onRead} />
            ) : (
              <NotificationRow key={entry.row.notifId} row={entry.row} onRead={() => onRead([entry.row])} />
            ),
          )}
        </ul>
      )}
    </>
  );
};

type NotificationPage = CallAnswer<'notifications.list'>;

const useMarkAllViewed = (fresh: number | undefined) => {
  const { mutate, error } = useMutation({ mutationFn: () => callCore('notifications.viewed', {}) });
  useEffect(() => {
    if (fresh !== undefined && fresh > 0) mutate();
  }, [fresh, mutate]);
  return error;
};

const EmptyNotifications = ({ news }: { news: NotificationPage }) =>
  news.readAt === null ? (
    <p>{news.problem === null && t('news.notYet')}</p>
  ) : (
    <EmptyScreen title={t('news.emptyTitle')}>
      <p>{t('news.empty')}</p>
      <Link href="/">{t('news.firstStep')}</Link>
    </EmptyScreen>
  );

export const NotificationsScreen = () => {
  const client = useQueryClient();
  const { data: news } = useServiceNotifications();
  const viewed = useMarkAllViewed(news?.fresh);
  const read = useMutation({
    mutationFn: async (rows: readonly Notification[]) => {
      for (const { notifId } of rows.filter((row) => row.read !== true))
        client.setQueryData(['notifications'], await callCore('notifications.read', { notifId }));
    },
  });
  useRowKeys();
  const problem = viewed ?? read.error;
  return (
    <ScreenPage title={t('news.title')} wide>
      <div className={styles.all} aria-busy={!news}>
        {news?.problem && <ProblemLine>{translateMessage(news.problem.says, news.problem.sentence)}</ProblemLine>}
        <ErrorLine error={problem} />
        {news && news.rows.length === 0 && <EmptyNotifications news={news} />}
        {news && news.rows.length > 0 && (
          <>
            <UnreadSummary rows={news.rows} onRead={(rows) => read.mutate(rows)} />
            <NotificationLists rows={news.rows} onRead={(rows) => read.mutate(rows)} />
            {news.readAt !== null && (
              <p className={styles.small}>
                <Trans i18nKey="news.readAt" components={{ when: <RelativeTime at={news.readAt} /> }} />
              </p>
            )}
          </>
        )}
      </div>
    </ScreenPage>
  );
};
