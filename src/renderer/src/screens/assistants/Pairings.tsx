import { Trans } from 'react-i18next';
import { Button } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { call } from '../../api/call.ts';
import { sentenceOf } from '../../api/callError.ts';
import type { Assistants } from '../../api/types.ts';
import { timeLeft } from '../../parts/ago.ts';
import { ProblemLine } from '../../parts/ProblemLine.tsx';
import { UntrustedText } from '../../parts/UntrustedText.tsx';
import { useNow } from '../../parts/useNow.ts';
import { NameLike } from '../approvals/WhoAsks.tsx';
import { t } from '../../i18n/t.ts';
import styles from './assistants.module.css';

const Pairing = ({ pairing }: { pairing: Assistants['pairings'][number] }) => {
  const { pairingId } = pairing;
  const now = useNow(5_000);
  const answer = useMutation({
    mutationFn: (name: 'assistants.accept' | 'assistants.refuse') => call(name, { pairingId }),
  });
  return (
    <li className={styles.pairing}>
      <div>
        <Trans
          i18nKey="assistants.wants"
          components={{
            name: (
              <b>
                <UntrustedText text={pairing.name} fold={80} />
              </b>
            ),
          }}
        />
        <NameLike like={pairing.nameLike} />
        <p className={styles.soft}>{timeLeft(pairing.expiresAt, now)}</p>
      </div>
      <output className={styles.code} aria-label={t('assistants.code')}>
        {pairing.code}
      </output>
      <div className={styles.buttons}>
        <Button onClick={() => answer.mutate('assistants.refuse')} disabled={answer.isPending}>
          {t('assistants.refuse')}
        </Button>
        <Button variant="filled" onClick={() => answer.mutate('assistants.accept')} disabled={answer.isPending}>
          {t('assistants.accept')}
        </Button>
      </div>
      {answer.error && <ProblemLine>{sentenceOf(answer.error)}</ProblemLine>}
    </li>
  );
};

/** Assistants that ask to be let in. */
export const Pairings = ({ pairings }: { pairings: Assistants['pairings'] }) => (
  <section aria-label={t('assistants.asking')}>
    <h2>{t('assistants.asking')}</h2>
    <ul className={styles.list}>
      {pairings.map((pairing) => (
        <Pairing key={pairing.pairingId} pairing={pairing} />
      ))}
    </ul>
  </section>
);
