import type { BatchRow } from '../../../api/types.ts';
import { ExternalLink } from '../../../parts/ExternalLink.tsx';
import { UntrustedText } from '../../../parts/UntrustedText.tsx';
import { actOf } from '../acts.ts';
import type { Stand } from './batchRows.ts';
import { FixLink } from './FixLink.tsx';
import { t } from '../../../i18n/t.ts';
import { translate } from '../../../i18n/language.ts';
import styles from './batch.module.css';

const said = ['waiting', 'held', 'sending', 'left', 'takenBack', 'unsure'] as const;

const whyNot = ({ problem, approval }: BatchRow): string => {
  const why = problem ?? approval?.outcome;
  return why ? translate(why.says, why.sentence) : t('approvals.batch.refused');
};

/** What came of one line, or why it cannot be part of the yes. */
export const LineStand = ({ row, stand }: { row: BatchRow; stand: Stand }) => {
  if (stand === 'problem' || stand === 'failed')
    return (
      <span className={styles.look}>
        <UntrustedText text={whyNot(row)} fold={240} /> <FixLink listingId={row.listingId} />
      </span>
    );
  if (stand === 'done')
    return (
      <span className={styles.done}>
        {t(`approvals.batch.stand.${actOf(row.route)}`)}
        {row.approval?.outcome?.url && (
          <>
            {' · '}
            <ExternalLink url={row.approval.outcome.url}>{t('approvals.openListing')}</ExternalLink>
          </>
        )}
      </span>
    );
  const known = said.find((one) => one === stand);
  return known ? <span className={styles.soft}>{t(`approvals.batch.stand.${known}`)}</span> : null;
};
