import { Button } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { Trans } from 'react-i18next';
import { sentenceOf, read } from '../../api/call.ts';
import { t } from '../../i18n/t.ts';
import { RelativeTime } from '../../components/text/RelativeTime.tsx';
import { textOf } from '../../api/unknownRecord.ts';
import { ProblemLine } from '../../components/ProblemLine.tsx';
import { plainly } from '../../components/text/untrustedText.ts';
import { UntrustedText } from '../../components/text/UntrustedText.tsx';
import { optionsIn, type Connection } from './answers.ts';
import { FactList } from './FactList.tsx';
import { useAskSetup } from './useAskSetup.ts';
import styles from './selling.module.css';

/** What can be chosen when something is published there; read when the person wants to see it. */
const Options = ({ connection: { id, channelId } }: { connection: Connection }) => {
  const options = useMutation({
    mutationFn: async () => optionsIn(await read('readConnectionOptions', { params: { channelId, connectionId: id } })),
  });
  return (
    <>
      <Button loading={options.isPending} onClick={() => options.mutate()}>
        {t('selling.channels.options')}
      </Button>
      {options.error && <ProblemLine>{sentenceOf(options.error)}</ProblemLine>}
      {options.data && options.data.length === 0 && <p>{t('selling.channels.noOptions')}</p>}
      {options.data && (
        <FactList
          facts={options.data.map(({ name, values, usual }) => [
            name,
            values.map((value) => (value === usual ? t('selling.channels.usual', { value }) : value)).join(', '),
          ])}
        />
      )}
    </>
  );
};

/** An account on another channel: since when, what can be chosen there, and how it is disconnected. */
export const ConnectionRow = ({ connection }: { connection: Connection }) => {
  const { id, channelId, name, more } = connection;
  const since = Date.parse(textOf(more, 'connectedAt', 'createdAt') ?? '');
  const ask = useAskSetup();
  return (
    <div className={styles.connection}>
      <div className={styles.row}>
        <div>
          <UntrustedText text={name} fold={120} />
          {!Number.isNaN(since) && (
            <p className={styles.soft}>
              <Trans i18nKey="selling.channels.connectedSince" components={{ when: <RelativeTime at={since} /> }} />
            </p>
          )}
        </div>
        <Button
          variant="quiet"
          aria-label={t('selling.channels.disconnectName', { name: plainly(name) })}
          loading={ask.isPending}
          onClick={() => ask.mutate({ route: 'deleteConnection', input: { params: { channelId, connectionId: id } } })}
        >
          {t('selling.channels.disconnect')}
        </Button>
      </div>
      {ask.error && <ProblemLine>{sentenceOf(ask.error)}</ProblemLine>}
      <Options connection={connection} />
    </div>
  );
};
