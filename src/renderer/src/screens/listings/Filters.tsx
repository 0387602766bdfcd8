import { Button, NativeSelect, TextInput } from '@mantine/core';
import { listingStatuses, type ListingStatus } from '../../../../contract/index.ts';
import type { ListingCounts } from '../../api/types.ts';
import { number, regionName } from '../../i18n/locale.ts';
import { t } from '../../i18n/t.ts';
import { oneOf } from '../../parts/loose.ts';
import { statusWords } from './cells.tsx';
import { ages, isFiltered, noFilter, type Filter } from './filter.ts';
import styles from './listings.module.css';

type Props = { filter: Filter; counts: ListingCounts | undefined; onChange: (filter: Filter) => void };

const statusCounts = (counts: ListingCounts | undefined): [ListingStatus, number][] =>
  Object.entries(counts?.statuses ?? {}).flatMap(([name, count]): [ListingStatus, number][] => {
    const status = oneOf(listingStatuses, name);
    return status === undefined ? [] : [[status, count]];
  });

/** Narrows the list by state, site, age and price. */
export const Filters = ({ filter, counts, onChange }: Props) => {
  const set = (change: Partial<Filter>): void => onChange({ ...filter, ...change });
  return (
    <div className={styles.filters} role="group" aria-label={t('listings.filters')}>
      <NativeSelect
        aria-label={t('listings.state')}
        value={filter.status}
        onChange={(event) => set({ status: oneOf(listingStatuses, event.currentTarget.value) ?? '' })}
        data={[
          { value: '', label: t('listings.anyState', { number: number(counts?.all ?? 0) }) },
          ...statusCounts(counts).map(([value, count]) => ({
            value,
            label: `${statusWords(value)} (${number(count)})`,
          })),
        ]}
      />
      <NativeSelect
        aria-label={t('listings.site')}
        value={filter.site}
        onChange={(event) => set({ site: event.currentTarget.value })}
        data={[
          { value: '', label: t('listings.anySite') },
          ...(counts?.sites ?? []).map(({ site, count }) => ({
            value: site,
            label: `${regionName(site)} (${number(count)})`,
          })),
        ]}
      />
      <NativeSelect
        aria-label={t('listings.age')}
        value={filter.age}
        onChange={(event) => set({ age: oneOf(ages, event.currentTarget.value) ?? '' })}
        data={[
          { value: '', label: t('listings.anyAge') },
          ...ages.map((age) => ({ value: age, label: t(`listings.${age}`) })),
        ]}
      />
      {(['min', 'max'] as const).map((end) => (
        <TextInput
          key={end}
          className={styles.amount}
          aria-label={end === 'min' ? t('listings.priceFrom') : t('listings.priceTo')}
          placeholder={end === 'min' ? t('listings.priceFrom') : t('listings.priceTo')}
          inputMode="decimal"
          value={filter[end]}
          onChange={(event) => set({ [end]: event.currentTarget.value })}
        />
      ))}
      {isFiltered({ ...filter, q: '' }) && (
        <Button variant="quiet" onClick={() => onChange({ ...noFilter, q: filter.q })}>
          {t('listings.clearFilters')}
        </Button>
      )}
    </div>
  );
};
