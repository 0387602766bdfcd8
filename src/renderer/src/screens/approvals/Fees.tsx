import { Trans } from 'react-i18next';
import type { Money } from '../../api/types.ts';
import { RelativeTime } from '../../components/text/RelativeTime.tsx';
import { formatMinor } from '../../components/text/format.ts';
import { UntrustedText } from '../../components/text/UntrustedText.tsx';
import { t } from '../../i18n/t.ts';
import { translate } from '../../i18n/language.ts';
import styles from './receipt.module.css';
import tables from './tables.module.css';

const total = (money: Money): string => {
  if (money.state === 'free') return t('approvals.fees.free');
  if (money.state === 'unavailable' || money.totalMinor === null) return t('approvals.fees.unchecked');
  return formatMinor(money.totalMinor, money.currency ?? '');
};

/** A fee at a glance: "US$0.35", "Free", "Not checked". */
export const feeWords = (money: Money | null): string => {
  if (!money) return '';
  if (money.state === 'free') return t('approvals.fees.free');
  return money.state === 'unavailable' || money.totalMinor === null
    ? t('approvals.fees.uncheckedShort')
    : formatMinor(money.totalMinor, money.currency ?? '');
};

/** The money of a prompt: each line, a rule, the total in larger type, and how old the quote is. */
export const Fees = ({ money }: { money: Money }) => (
  <section className={styles.section} aria-label={t('approvals.fees.name')}>
    <table className={tables.fees}>
      <tbody>
        {money.lines.map((line, at) => (
          <tr key={at}>
            <th scope="row">
              <UntrustedText text={translate(line.says, line.name)} fold={80} />
            </th>
            <td>
              {line.amountMinor === 0
                ? t('approvals.fees.freeLine')
                : formatMinor(line.amountMinor, money.currency ?? '')}
            </td>
          </tr>
        ))}
      </tbody>
      <tfoot>
        <tr data-words={money.state === 'unavailable' || undefined}>
          <th scope="row">{money.lines.length > 0 ? t('approvals.fees.total') : t('approvals.fees.name')}</th>
          <td>{total(money)}</td>
        </tr>
      </tfoot>
    </table>
    {money.state === 'unavailable' && (
      <p className={tables.look}>
        {money.reason ? (
          <Trans
            i18nKey="approvals.fees.uncheckedWhy"
            components={{ reason: <UntrustedText text={translate(money.says, money.reason)} /> }}
          />
        ) : (
          t('approvals.fees.uncheckedText')
        )}
      </p>
    )}
    <p className={styles.small}>
      <Trans i18nKey="approvals.fees.quoted" components={{ when: <RelativeTime at={money.quotedAt} /> }} />
    </p>
  </section>
);
