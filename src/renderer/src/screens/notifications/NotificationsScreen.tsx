import { t, screens, translate } from '../../i18n.ts';
import { Button } from '@mantine/core';
import { IconAlertTriangle, IconBell, IconCoin, IconEye, IconTag, IconUser, type Icon } from '@tabler/icons-react';
import { useState, useEffect } from 'react';
import { Link } from 'wouter';
import type { CallAnswer } from '../../../../ipc/calls.ts';
import { RelativeTime } from '../../components/text/RelativeTime.tsx';
import { UntrustedText } from '../../components/text/UntrustedText.tsx';
import styles from './notifications.module.css';
import { entryOf } from '../../../../contract/untrusted.ts';
import { useKeys } from '../../components/Keys.tsx';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { Trans } from 'react-i18next';
import { call, sentenceOf } from '../../api/call.ts';
import { useNotifications } from '../../api/queries.ts';
import { EmptyScreen, Page, ProblemLine } from '../../components/Page.tsx';

const known = screens.news.kind;
const isKnown = (kind: string): kind is keyof typeof known => Object.hasOwn(known, kind);

/** What a notification is about, in a word; the service's kinds are its own, and may be others. */
export const kindText = (kind: string | null): string =>
  t(`news.kind.${kind !== null && isKnown(kind) ? kind : 'other'}`);

type Row = CallAnswer<'notifications.list'>['rows'][number];

const signs: Readonly<Record<string, Icon>> = {
  sale: IconCoin,
  published: IconTag,
  listing_ready: IconEye,
  listing_failed: IconAlertTriangle,
  account: IconUser,
};

/** One thing the service told. Its words are of others: shown as they came, never followed. */
export const NotificationRow = ({ row, onRead }: { row: Row; onRead: () => void }) => {
  // What was new when the person came stays marked while they look.
  const [isNew] = useState(row.viewed === false && row.read !== true);
  const Sign = entryOf(signs, row.kind ?? '') ?? IconBell;
  return (
    <li className={styles.row} data-unread={row.read === false || undefined}>
      <Sign size={18} stroke={1.6} aria-hidden />
      <div className={styles.words}>
        <p className={styles.head}>
          <b>{kindText(row.kind)}</b>
          {isNew && <span className={styles.new}>{t('news.new')}</span>}
          {!isNew && row.read === false && <span className={styles.small}>{t('news.unread')}</span>}
          {row.at !== null && (
            <span className={styles.when}>
              <RelativeTime at={row.at} />
            </span>
          )}
        </p>
        <p>
          <UntrustedText text={row.text} fold={300} />
        </p>
      </div>
      {row.listingId === null ? (
        row.read === false && (
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
};

const steps = (): HTMLElement[] => [...document.querySelectorAll<HTMLElement>('[data-news]')];

const move = (by: number): void => {
  const all = steps();
  const at = all.findIndex((one) => one === document.activeElement);
  const next = all[at === -1 ? 0 : at + by];
  next?.focus();
  next?.scrollIntoView({ block: 'nearest' });
};

/** J, K and arrows go through what can be opened; Enter is the link's own. */
export const useNotificationKeys = (): void =>
  useKeys({ j: () => move(1), k: () => move(-1), ArrowDown: () => move(1), ArrowUp: () => move(-1) });

type News = CallAnswer<'notifications.list'>;

/** Whatever is looked at here is no longer new: said to the service once for all that are there. */
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

/** What the service told the person: sales, what came of a publish, notices. One about a listing opens it. */
export const NotificationsScreen = () => {
  const client = useQueryClient();
  const { data: news } = useNotifications();
  const viewed = useViewed(news?.fresh);
  const read = useMutation({
    mutationFn: (notifId: string) => call('notifications.read', { notifId }),
    onSuccess: (answer) => client.setQueryData(['notifications'], answer),
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
            <ul className={styles.rows} aria-label={t('news.list')}>
              {news.rows.map((row) => (
                <NotificationRow
                  key={row.notifId}
                  row={row}
                  onRead={() => row.read === true || read.mutate(row.notifId)}
                />
              ))}
            </ul>
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
