import { Button, Modal, NativeSelect, TextInput } from '@mantine/core';
import { useState, type FormEvent } from 'react';
import { sentenceOf, type ListingRow } from '../../api/call.ts';
import { t } from '../../i18n.ts';
import { centsToText, formatCents } from '../../components/text/format.ts';
import { oneOf } from '../../api/unknownRecord.ts';
import { ProblemLine } from '../../components/Page.tsx';
import { UntrustedText } from '../../components/text/UntrustedText.tsx';
import { priceText, titleOf } from './ListingViews.tsx';
import { newPrice, priceChanges, type How, type PriceChange, type Bulk, useBulk } from './useBulk.ts';
import styles from './listings.module.css';
import { mostAtOnce, type ListingSelection } from './useListings.ts';

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
            <td>{priceText(row)}</td>
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
const PriceDialog = ({ rows, bulk, onClose }: { rows: readonly ListingRow[]; bulk: Bulk; onClose: () => void }) => {
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

const canCome = (row: ListingRow): boolean => row.status === 'ended';

type Props = { chosen: ListingSelection; total: number; onAll: () => void };

/** What can be done with the listings that are selected. */
export const BulkBar = ({ chosen, total, onAll }: Props) => {
  const [pricing, setPricing] = useState(false);
  const bulk = useBulk(() => {
    setPricing(false);
    chosen.clear();
  });
  const { rows } = chosen;
  const live = rows.filter(({ status }) => status === 'published');
  const over = rows.filter(canCome);
  const tooMany = rows.length > mostAtOnce;
  const all = total > mostAtOnce ? t('listings.selectFirst', { count: mostAtOnce }) : t('listings.selectAll');
  return (
    <div className={styles.bulkBar}>
      <span aria-live="polite">{t('listings.selected', { count: rows.length })}</span>
      {rows.length < Math.min(total, mostAtOnce) && (
        <Button variant="quiet" size="compact-md" onClick={onAll}>
          {all}
        </Button>
      )}
      <Button variant="quiet" size="compact-md" onClick={chosen.clear}>
        {t('listings.clear')}
      </Button>
      <span className={styles.space} />
      {live.length > 0 && (
        <>
          <Button size="compact-md" disabled={tooMany || bulk.busy} onClick={() => setPricing(true)}>
            {t('listings.changePrice', { count: live.length })}
          </Button>
          <Button size="compact-md" disabled={tooMany || bulk.busy} onClick={() => bulk.end(live)}>
            {t('listings.end', { count: live.length })}
          </Button>
        </>
      )}
      {over.length > 0 && (
        <Button size="compact-md" disabled={tooMany || bulk.busy} onClick={() => bulk.relist(over)}>
          {t('listings.relist', { count: over.length })}
        </Button>
      )}
      {live.length + over.length === 0 && <span className={styles.soft}>{t('listings.onlyLive')}</span>}
      {tooMany && <ProblemLine>{t('listings.bulk.tooMany', { count: mostAtOnce })}</ProblemLine>}
      {!pricing && bulk.error && <ProblemLine>{sentenceOf(bulk.error)}</ProblemLine>}
      {pricing && <PriceDialog rows={rows} bulk={bulk} onClose={() => setPricing(false)} />}
    </div>
  );
};
