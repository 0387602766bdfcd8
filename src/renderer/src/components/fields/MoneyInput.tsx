import { Button, TextInput, type TextInputProps } from '@mantine/core';
import { t } from '../../i18n.ts';
import styles from './moneyInput.module.css';
import { formatCentsInput, parseAmbiguousAmounts, formatCents, parseCentsInput } from '../text/format.ts';

type Props = Omit<TextInputProps, 'value' | 'onChange' | 'leftSection'> & {
  value: string;
  onChange: (text: string) => void;
  /** Null if the currency is unknown, and undefined if there is no single currency. */
  currency?: string | null;
  /** Called instead of `onChange` when the person chooses one of two possible amounts. */
  onChoose?: (text: string) => void;
};

type ChoicesProps = { cents: readonly [number, number]; currency: string | null; onChoose: (text: string) => void };

const AmountChoices = ({ cents, currency, onChoose }: ChoicesProps) => (
  <div role="group" aria-label={t('parts.money.which')} className={styles.choices}>
    <span>{t('parts.money.which')}</span>
    {cents.map((amountCents) => (
      <Button key={amountCents} size="compact-sm" onClick={() => onChoose(formatCentsInput(amountCents))}>
        {currency === null ? formatCentsInput(amountCents) : formatCents(amountCents, currency)}
      </Button>
    ))}
  </div>
);

/**
 * Amounts are typed in the format of the person's language. If a text can mean two amounts, the person must choose one.
 */
export const MoneyInputField = ({ value, onChange, currency, onChoose = onChange, onBlur, ...more }: Props) => {
  const either = more.readOnly === true ? null : parseAmbiguousAmounts(value);
  return (
    <div className={styles.money}>
      <TextInput
        {...more}
        inputMode="decimal"
        value={value}
        onChange={(event) => onChange(event.currentTarget.value)}
        onBlur={(event) => {
          const cents = parseCentsInput(value);
          if (cents !== null && formatCentsInput(cents) !== value) onChange(formatCentsInput(cents));
          onBlur?.(event);
        }}
        styles={{ input: { fontVariantNumeric: 'tabular-nums' } }}
        {...(currency !== undefined && {
          leftSection: <span className={styles.currency}>{currency ?? '?'}</span>,
          leftSectionWidth: 56,
        })}
      />
      {either && <AmountChoices cents={either} currency={currency ?? null} onChoose={onChoose} />}
    </div>
  );
};
