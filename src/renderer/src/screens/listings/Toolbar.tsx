import { Button, NativeSelect, TextInput, ActionIcon, Menu, SegmentedControl } from '@mantine/core';
import { listingStatuses, type ListingStatus } from '../../../../contract/index.ts';
import type { ListingCounts } from '../../api/call.ts';
import { t } from '../../i18n.ts';
import { oneOf } from '../../api/unknownRecord.ts';
import { statusText } from './ListingViews.tsx';
import { ages, isFiltered, noFilter, type Filter, type Sort, columnNames, type View } from './useListings.ts';
import styles from './listings.module.css';
import { IconColumns, IconDots, IconFilter, IconSearch } from '@tabler/icons-react';
import { useRef } from 'react';
import { MoneyInput } from '../../components/MoneyInput.tsx';
import { useKeys } from '../../components/Keys.tsx';
import { formatNumber, regionName } from '../../components/text/format.ts';

type FiltersProps = {
  filter: Filter;
  counts: ListingCounts | undefined;
  /** Whether the filters are hidden in a narrow window. */
  folded: boolean;
  onChange: (filter: Filter) => void;
};

const statusCounts = (counts: ListingCounts | undefined): [ListingStatus, number][] =>
  Object.entries(counts?.statuses ?? {}).flatMap(([name, count]): [ListingStatus, number][] => {
    const status = oneOf(listingStatuses, name);
    return status === undefined ? [] : [[status, count]];
  });

export const Filters = ({ filter, counts, folded, onChange }: FiltersProps) => {
  const set = (change: Partial<Filter>): void => onChange({ ...filter, ...change });
  return (
    <div className={styles.filters} data-folded={folded || undefined} role="group" aria-label={t('listings.filters')}>
      <NativeSelect
        aria-label={t('listings.state')}
        value={filter.status}
        onChange={(event) => set({ status: oneOf(listingStatuses, event.currentTarget.value) ?? '' })}
        data={[
          { value: '', label: t('listings.anyState', { number: formatNumber(counts?.all ?? 0) }) },
          ...statusCounts(counts).map(([value, count]) => ({
            value,
            label: `${statusText(value)} (${formatNumber(count)})`,
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
            label: `${regionName(site)} (${formatNumber(count)})`,
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
        <MoneyInput
          key={end}
          className={styles.amount}
          aria-label={end === 'min' ? t('listings.priceFrom') : t('listings.priceTo')}
          placeholder={end === 'min' ? t('listings.priceFrom') : t('listings.priceTo')}
          value={filter[end]}
          onChange={(text) => set({ [end]: text })}
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

const sorts = {
  newest: 'listings.newest',
  oldest: 'listings.oldest',
  cheapest: 'listings.cheapest',
  dearest: 'listings.dearest',
  title: 'listings.byTitle',
  titleDown: 'listings.byTitleDown',
  status: 'listings.byStatus',
  statusDown: 'listings.byStatusDown',
} as const satisfies Record<Sort, string>;
const isSort = (name: string): name is Sort => Object.hasOwn(sorts, name);

type ToolbarProps = {
  q: string;
  onFind: (q: string) => void;
  sort: Sort;
  onSort: (sort: Sort) => void;
  view: View;
  onView: (view: View) => void;
  /** Whether the filters are hidden. `onFold` is null while a filter is set. */
  folded: boolean;
  onFold: (() => void) | null;
  onExport: () => void;
  onAgain: () => void;
};

const Columns = ({ view, onView }: Pick<ToolbarProps, 'view' | 'onView'>) => (
  <Menu position="bottom-end" closeOnItemClick={false}>
    <Menu.Target>
      <ActionIcon className={styles.columns} aria-label={t('listings.columns')}>
        <IconColumns size={18} aria-hidden />
      </ActionIcon>
    </Menu.Target>
    <Menu.Dropdown>
      {columnNames.map((name) => (
        <Menu.CheckboxItem
          key={name}
          checked={view.columns.includes(name)}
          onChange={(on) =>
            onView({
              ...view,
              columns: columnNames.filter((one) => (one === name ? on : view.columns.includes(one))),
            })
          }
        >
          {t(`listings.column.${name}`)}
        </Menu.CheckboxItem>
      ))}
    </Menu.Dropdown>
  </Menu>
);

export const Toolbar = (props: ToolbarProps) => {
  const { q, onFind, sort, onSort, view, onView, folded, onFold, onExport, onAgain } = props;
  const field = useRef<HTMLInputElement>(null);
  useKeys({ '/': () => field.current?.focus() });
  return (
    <div className={styles.toolbar}>
      <TextInput
        ref={field}
        className={styles.find}
        aria-label={t('listings.find')}
        placeholder={t('listings.findHint')}
        leftSection={<IconSearch size={16} aria-hidden />}
        value={q}
        onChange={(event) => onFind(event.currentTarget.value)}
        onKeyDown={(event) => {
          if (event.key !== 'Escape') return;
          if (q === '') field.current?.blur();
          else onFind('');
        }}
      />
      {onFold && (
        <ActionIcon className={styles.fold} aria-label={t('listings.filters')} aria-expanded={!folded} onClick={onFold}>
          <IconFilter size={18} aria-hidden />
        </ActionIcon>
      )}
      <NativeSelect
        className={styles.order}
        aria-label={t('listings.sort')}
        value={sort}
        onChange={(event) => onSort(isSort(event.currentTarget.value) ? event.currentTarget.value : 'newest')}
        data={Object.entries(sorts).map(([value, key]) => ({ value, label: t(key) }))}
      />
      <SegmentedControl
        aria-label={t('listings.view')}
        value={view.kind}
        onChange={(kind) => onView({ ...view, kind: kind === 'grid' ? 'grid' : 'table' })}
        data={[
          { value: 'table', label: t('listings.table') },
          { value: 'grid', label: t('listings.grid') },
        ]}
      />
      {view.kind === 'table' && <Columns view={view} onView={onView} />}
      <Menu position="bottom-end">
        <Menu.Target>
          <ActionIcon aria-label={t('listings.more')}>
            <IconDots size={18} aria-hidden />
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Item onClick={onExport}>{t('listings.export')}</Menu.Item>
          <Menu.Item onClick={onAgain}>{t('listings.again')}</Menu.Item>
        </Menu.Dropdown>
      </Menu>
    </div>
  );
};
