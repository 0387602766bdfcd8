import { Button, Modal, NativeSelect, TextInput } from '@mantine/core';
import { useState, type FormEvent } from 'react';
import { sentenceOf } from '../../../api/callError.ts';
import type { ListingRow } from '../../../api/types.ts';
import { t } from '../../../i18n/t.ts';
import { centsToText, formatCents } from '../../../parts/money.ts';
import { oneOf } from '../../../parts/loose.ts';
import { ProblemLine } from '../../../parts/ProblemLine.tsx';
import { UntrustedText } from '../../../parts/UntrustedText.tsx';
import { priceWords, titleOf } from '../cells.tsx';
import { newPrice, priceChanges, type How, type PriceChange } from './newPrice.ts';
import type { Bulk } from './useBulk.ts';
import styles from '../listings.module.css';

const shown = 100;
const hows: readonly How[] = ['percent', 'amount', 'set'];
const labels = {
  percent: 'listings.bulk.percentValue',
  amount: 'listings.bulk.amountValue',
  set: 'listings.bulk.setValue',
} as const;

const Preview = ({ changes, left }: { changes: readonly PriceChange[]; left: number }) => (
  <div className={styles.preview} tabIndex={0} role="group" aria-label={t('listings.bulk.preview')}>
    <table>
      <thead>
        <tr>
          <th scope="col">{t('listings.column.title')}</th>
          <th scope="col">{t('listings.bulk.before')}</th>
          <th scope="col">{t('listings.bulk.after')}</th>
        </tr>
      </thead>
      <tbody>
        {changes.slice(0, shown).map(({ row, cents }) => (
          <tr key={row.listingId}>
            <th scope="row">
              <UntrustedText text={titleOf(row)} fold={120} flag={false} />
            </th>
            <td>{priceWords(row)}</td>
            <td>
              <b>{formatCents(cents, row.currency)}</b>
            </td>
          </tr>
        ))}
      </tbody>
    </table>
    {changes.length > shown && <p>{t('listings.bulk.more', { count: changes.length - shown })}</p>}
    {left > 0 && <p className={styles.soft}>{t('listings.bulk.left', { count: left })}</p>}
  </div>
);

/** Changes the price of many live listings: how, what comes of it, and then the question. */
export const PriceDialog = ({
  rows,
  bulk,
  onClose,
}: {
  rows: readonly ListingRow[];
  bulk: Bulk;
  onClose: () => void;
}) => {
  const [how, setHow] = useState<How>('percent');
  const [typed, setTyped] = useState('-10');
  const change = newPrice(how, typed);
  const { changes, left } = change ? priceChanges(rows, change) : { changes: [], left: rows.length };
  const onSubmit = (event: FormEvent): void => {
    event.preventDefault();
    if (changes.length > 0) bulk.prices(changes);
  };
  return (
    <Modal opened onClose={onClose} title={t('listings.bulk.title')} size={640} padding="lg">
      <form className={styles.bulk} onSubmit={onSubmit}>
        <div className={styles.bulkFields}>
          <NativeSelect
            label={t('listings.bulk.how')}
            value={how}
            onChange={(event) => setHow(oneOf(hows, event.currentTarget.value) ?? how)}
            data={hows.map((value) => ({ value, label: t(`listings.bulk.${value}`) }))}
          />
          <TextInput
            label={t(labels[how])}
            data-autofocus
            inputMode="decimal"
            value={typed}
            onChange={(event) => setTyped(event.currentTarget.value)}
            error={
              change === null && t('listings.bulk.wrong', { example: how === 'percent' ? '-10' : centsToText(250) })
            }
          />
        </div>
        {change !== null &&
          (changes.length > 0 ? <Preview changes={changes} left={left} /> : <p>{t('listings.bulk.none')}</p>)}
        {bulk.error && <ProblemLine>{sentenceOf(bulk.error)}</ProblemLine>}
        <div className={styles.bulkFoot}>
          <Button type="submit" variant="ink" loading={bulk.busy} disabled={changes.length === 0}>
            {t('listings.bulk.ask', { count: changes.length })}
          </Button>
          <span className={styles.soft}>{t('listings.bulk.hint')}</span>
        </div>
      </form>
    </Modal>
  );
};
