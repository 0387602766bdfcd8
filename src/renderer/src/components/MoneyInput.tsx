import { Button, TextInput, type TextInputProps } from '@mantine/core';
import { t } from '../i18n.ts';
import styles from './moneyInput.module.css';
import { centsToText, eitherAmount, formatCents, textToCents } from './text/format.ts';

type Props = Omit<TextInputProps, 'value' | 'onChange' | 'leftSection'> & {
  /** What is typed. */
  value: string;
  onChange: (text: string) => void;
  /** Stands before the amount; null where it is not known, absent where there is no one currency. */
  currency?: string | null;
  /** The person has chosen what an amount was meant to be, in the place of `onChange`. */
  onChoose?: (text: string) => void;
};

type ChoicesProps = { cents: readonly [number, number]; currency: string | null; onChoose: (text: string) => void };

/** Both readings of an amount: nothing is saved of it until one is chosen. */
const Choices = ({ cents, currency, onChoose }: ChoicesProps) => (
  <div role="group" aria-label={t('parts.money.which')} className={styles.choices}>
    <span>{t('parts.money.which')}</span>
    {cents.map((one) => (
      <Button key={one} size="compact-sm" onClick={() => onChoose(centsToText(one))}>
        {currency === null ? centsToText(one) : formatCents(one, currency)}
      </Button>
    ))}
  </div>
);

/**
 * The one field for money. It reads numbers as the language of the screens writes them, shows what it has read in the
 * same way once it is left, and asks where a number could be two amounts.
 */
export const MoneyInput = ({ value, onChange, currency, onChoose = onChange, onBlur, ...more }: Props) => {
  const either = more.readOnly === true ? null : eitherAmount(value);
  return (
    <div className={styles.money}>
      <TextInput
        {...more}
        inputMode="decimal"
        value={value}
        onChange={(event) => onChange(event.currentTarget.value)}
        onBlur={(event) => {
          const cents = textToCents(value);
          if (cents !== null && centsToText(cents) !== value) onChange(centsToText(cents));
          onBlur?.(event);
        }}
        styles={{ input: { fontVariantNumeric: 'tabular-nums' } }}
        {...(currency !== undefined && {
          leftSection: <span className={styles.currency}>{currency ?? '?'}</span>,
          leftSectionWidth: 56,
        })}
      />
      {either && <Choices cents={either} currency={currency ?? null} onChoose={onChoose} />}
    </div>
  );
};
