import { Trans } from 'react-i18next';
import type { ListingCounts } from '../../api/types.ts';
import { number } from '../../i18n/locale.ts';
import { t } from '../../i18n/t.ts';
import { Ago } from '../../parts/Ago.tsx';
import { UntrustedText } from '../../parts/UntrustedText.tsx';
import { translate } from '../../i18n/language.ts';
import styles from './listings.module.css';

/** How many are found, and how far the reading of them all has come. */
export const SyncLine = ({ total, sync }: { total: number | null; sync: ListingCounts['sync'] | undefined }) => (
  <p className={styles.sync} aria-live="polite">
    {total !== null && t('listings.found', { count: total, number: number(total) })}
    {sync?.running && ` · ${t('listings.reading', { number: number(sync.read) })}`}
    {sync && !sync.running && sync.problem === null && sync.doneAt !== null && (
      <>
        {' · '}
        <Trans i18nKey="listings.readAt" components={{ when: <Ago at={sync.doneAt} /> }} />
      </>
    )}
    {sync?.problem && (
      <span className={styles.look}>
        {' · '}
        <Trans
          i18nKey="listings.notRead"
          components={{ sentence: <UntrustedText text={translate(sync.says, sync.problem)} /> }}
        />
      </span>
    )}
  </p>
);
