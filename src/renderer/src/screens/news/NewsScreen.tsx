import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { Trans } from 'react-i18next';
import { Link } from 'wouter';
import type { CallAnswer } from '../../../../ipc/calls.ts';
import { call } from '../../api/call.ts';
import { sentenceOf } from '../../api/callError.ts';
import { useNotifications } from '../../api/queries.ts';
import { Ago } from '../../parts/Ago.tsx';
import { EmptyScreen } from '../../parts/EmptyScreen.tsx';
import { Page } from '../../parts/Page.tsx';
import { ProblemLine } from '../../parts/ProblemLine.tsx';
import { NewsRow } from './NewsRow.tsx';
import { translate } from '../../i18n/language.ts';
import { useNewsKeys } from './useNewsKeys.ts';
import { t } from '../../i18n/t.ts';
import styles from './news.module.css';

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
export const NewsScreen = () => {
  const client = useQueryClient();
  const { data: news } = useNotifications();
  const viewed = useViewed(news?.fresh);
  const read = useMutation({
    mutationFn: (notifId: string) => call('notifications.read', { notifId }),
    onSuccess: (answer) => client.setQueryData(['notifications'], answer),
  });
  useNewsKeys();
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
                <NewsRow key={row.notifId} row={row} onRead={() => row.read === true || read.mutate(row.notifId)} />
              ))}
            </ul>
            {news.readAt !== null && (
              <p className={styles.small}>
                <Trans i18nKey="news.readAt" components={{ when: <Ago at={news.readAt} /> }} />
              </p>
            )}
          </>
        )}
      </div>
    </Page>
  );
};
