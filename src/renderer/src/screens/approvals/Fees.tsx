import type { Money } from '../../api/types.ts';
import { Ago } from '../../parts/Ago.tsx';
import { formatMinor } from '../../parts/money.ts';
import { Said } from '../../parts/Said.tsx';
import styles from './receipt.module.css';
import tables from './tables.module.css';

const total = (money: Money): string => {
  if (money.state === 'free') return 'Free';
  if (money.state === 'unavailable' || money.totalMinor === null) return 'Could not be checked';
  return formatMinor(money.totalMinor, money.currency ?? '');
};

/** A fee at a glance: "US$0.35", "Free", "Not checked". */
export const feeWords = (money: Money | null): string => {
  if (!money) return '';
  if (money.state === 'free') return 'Free';
  return money.state === 'unavailable' || money.totalMinor === null
    ? 'Not checked'
    : formatMinor(money.totalMinor, money.currency ?? '');
};

/** The money of a prompt: each line, a rule, the total in larger type, and how old the quote is. */
export const Fees = ({ money }: { money: Money }) => (
  <section className={styles.section} aria-label="Marketplace fees">
    <table className={tables.fees}>
      <tbody>
        {money.lines.map((line, at) => (
          <tr key={at}>
            <th scope="row">
              <Said text={line.name} fold={80} />
            </th>
            <td>{line.amountMinor === 0 ? 'free' : formatMinor(line.amountMinor, money.currency ?? '')}</td>
          </tr>
        ))}
      </tbody>
      <tfoot>
        <tr data-words={money.state === 'unavailable' || undefined}>
          <th scope="row">{money.lines.length > 0 ? 'Total fees' : 'Marketplace fees'}</th>
          <td>{total(money)}</td>
        </tr>
      </tfoot>
    </table>
    {money.state === 'unavailable' && (
      <p className={tables.look}>
        The fee could not be checked{money.reason ? ': ' : '. The marketplace may still charge one.'}
        {money.reason && <Said text={money.reason} />}
      </p>
    )}
    <p className={styles.small}>
      Quoted <Ago at={money.quotedAt} />. If it rises, you are asked again.
    </p>
  </section>
);
