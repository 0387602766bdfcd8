import { Button } from '@mantine/core';
import { IconAlertTriangle, IconBell, IconCoin, IconEye, IconTag, IconUser, type Icon } from '@tabler/icons-react';
import { useState } from 'react';
import { Link } from 'wouter';
import type { CallAnswer } from '../../../../ipc/calls.ts';
import { Ago } from '../../parts/Ago.tsx';
import { UntrustedText } from '../../parts/UntrustedText.tsx';
import { kindWords } from './kinds.ts';
import { t } from '../../i18n/t.ts';
import styles from './news.module.css';
import { entryOf } from '../../../../contract/foreign.ts';

type Row = CallAnswer<'notifications.list'>['rows'][number];

const signs: Readonly<Record<string, Icon>> = {
  sale: IconCoin,
  published: IconTag,
  listing_ready: IconEye,
  listing_failed: IconAlertTriangle,
  account: IconUser,
};

/** One thing the service told. Its words are of others: shown as they came, never followed. */
export const NewsRow = ({ row, onRead }: { row: Row; onRead: () => void }) => {
  // What was new when the person came stays marked while they look.
  const [isNew] = useState(row.viewed === false && row.read !== true);
  const Sign = entryOf(signs, row.kind ?? '') ?? IconBell;
  return (
    <li className={styles.row} data-unread={row.read === false || undefined}>
      <Sign size={18} stroke={1.6} aria-hidden />
      <div className={styles.words}>
        <p className={styles.head}>
          <b>{kindWords(row.kind)}</b>
          {isNew && <span className={styles.new}>{t('news.new')}</span>}
          {!isNew && row.read === false && <span className={styles.small}>{t('news.unread')}</span>}
          {row.at !== null && (
            <span className={styles.when}>
              <Ago at={row.at} />
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
