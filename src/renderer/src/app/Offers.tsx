import { Button } from '@mantine/core';
import { IconExternalLink } from '@tabler/icons-react';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { Trans } from 'react-i18next';
import { call } from '../api/call.ts';
import { sentenceOf } from '../api/callError.ts';
import { useOffers } from '../api/queries.ts';
import { t } from '../i18n/t.ts';
import { UntrustedText } from '../parts/UntrustedText.tsx';
import { Line } from './Line.tsx';
import styles from './frame.module.css';

type Act = 'offers.open' | 'offers.dismiss';

/** A page that an assistant asked for and only the person may open: who, what, and where it lies. */
export const Offers = () => {
  const client = useQueryClient();
  const [first, ...more] = useOffers().data ?? [];
  const act = useMutation({
    mutationFn: (name: Act) => call(name, { offerId: first?.offerId ?? '' }),
    onSettled: () => client.invalidateQueries({ queryKey: ['assistants', 'offers'] }),
  });
  if (!first) return null;
  return (
    <Line
      look
      icon={<IconExternalLink size={16} aria-hidden />}
      action={
        <span className={styles.lineActs}>
          <Button size="compact-sm" disabled={act.isPending} onClick={() => act.mutate('offers.open')}>
            {t('app.line.openPage')}
          </Button>
          <Button
            size="compact-sm"
            variant="quiet"
            disabled={act.isPending}
            onClick={() => act.mutate('offers.dismiss')}
          >
            {t('app.line.dismiss')}
          </Button>
        </span>
      }
    >
      <Trans
        i18nKey="app.line.offer"
        components={{
          name: <UntrustedText text={first.by} fold={60} flag={false} />,
          what: <UntrustedText text={first.what} fold={200} />,
          host: (
            <b>
              <UntrustedText text={first.host} fold={100} />
            </b>
          ),
        }}
      />{' '}
      {more.length > 0 && t('app.line.moreOffers', { count: more.length })} {act.error && sentenceOf(act.error)}
    </Line>
  );
};
