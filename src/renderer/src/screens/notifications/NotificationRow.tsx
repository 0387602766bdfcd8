import { Button } from '@mantine/core';
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
import { Link } from 'wouter';
import { entryOf } from '../../../../contract/untrusted.ts';
import { formatMinor, nameSites } from '../../components/text/format.ts';
import { RelativeTime } from '../../components/text/RelativeTime.tsx';
import { UntrustedText } from '../../components/text/UntrustedText.tsx';
import { screens, t } from '../../i18n.ts';
import { isUnread, type Notification } from './notificationGroups.ts';
import styles from './notifications.module.css';

const known = screens.news.kind;
const isKnown = (kind: string): kind is keyof typeof known => Object.hasOwn(known, kind);

/** What a notification is about, in a word; the service's kinds are its own, and may be others. */
const kindText = (kind: string | null): string => t(`news.kind.${kind !== null && isKnown(kind) ? kind : 'other'}`);

const signs: Readonly<Record<string, Icon>> = {
  sale: IconCoin,
  published: IconTag,
  listing_ready: IconEye,
  listing_failed: IconAlertTriangle,
  unsold: IconClockOff,
  account: IconUser,
};

/** What a notification is about, as a small picture. */
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

/** One thing the service told. Its words are of others: shown as they came, never followed. */
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
