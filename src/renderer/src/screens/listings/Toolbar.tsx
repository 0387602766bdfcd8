import { ActionIcon, Button, CloseButton, Menu, NativeSelect, SegmentedControl, TextInput } from '@mantine/core';
import { IconColumns, IconDots, IconFilter, IconSearch } from '@tabler/icons-react';
import { type ReactNode, useRef } from 'react';
import { clearOnEscape, useTypedText } from '../../components/fields/useTypedText.ts';
import { listingStatuses } from '../../../../contract/index.ts';
import type { ListingCounts } from '../../api/call.ts';
import { findKnownWord } from '../../api/unknownRecord.ts';
import { FilterTabs } from '../../components/lists/FilterTabs.tsx';
import { useScreenKeys } from '../../components/Keys.tsx';
import { MoneyInputField } from '../../components/fields/MoneyInput.tsx';
import { formatNumber, getSiteCountryName } from '../../components/text/format.ts';
import { t } from '../../i18n.ts';
import { formatListingStatus } from './listingStatus.ts';
import styles from './listings.module.css';
import {
  columnNames,
  filterNames,
  isFilterSet,
  type AddedFilters,
  type FilterName,
  type ListingFilter,
  listingAges,
  type ListView,
  type Sort,
  tabStatuses,
} from './useListings.ts';

type Counts = ListingCounts | undefined;
export type OnFilter = (changes: Partial<ListingFilter>) => void;

/** A single site needs neither a column nor a filter. */
export const hasSeveralSites = (counts: Counts): boolean => (counts?.sites.length ?? 0) > 1;

const listOtherStatuses = (counts: Counts) =>
  listingStatuses
    .filter((status) => !tabStatuses.some((tab) => tab === status))
    .flatMap((status) => {
      const count = counts?.statuses[status] ?? 0;
      return count > 0 ? [{ status, count }] : [];
    });

const withCount = (label: string, count: number): string => `${label} (${formatNumber(count)})`;

type StatusTabsProps = { filter: ListingFilter; counts: Counts; onFilter: OnFilter };

export const StatusTabs = ({ filter, counts, onFilter }: StatusTabsProps) => (
  <FilterTabs
    label={t('listings.state')}
    value={tabStatuses.find((status) => status === filter.status) ?? 'all'}
    onChange={(tab) => onFilter({ status: tab === 'all' ? '' : tab })}
    tabs={[
      { value: 'all', label: t('listings.all'), count: counts?.all },
      ...tabStatuses.map((status) => ({
        value: status,
        label: formatListingStatus(status),
        count: counts && (counts.statuses[status] ?? 0),
      })),
    ]}
  />
);

type FilterFieldProps = { filter: ListingFilter; counts: Counts; isNew: boolean; onFilter: OnFilter };

const filterFields: Readonly<Record<FilterName, (props: FilterFieldProps) => ReactNode>> = {
  site: ({ filter, counts, isNew, onFilter }) => (
    <NativeSelect
      aria-label={t('listings.site')}
      autoFocus={isNew}
      size="xs"
      value={filter.site}
      onChange={(event) => onFilter({ site: event.currentTarget.value })}
      data={[
        { value: '', label: t('listings.anySite') },
        ...(counts?.sites ?? []).map(({ site, count }) => ({
          value: site,
          label: withCount(getSiteCountryName(site), count),
        })),
      ]}
    />
  ),
  age: ({ filter, isNew, onFilter }) => (
    <NativeSelect
      aria-label={t('listings.age')}
      autoFocus={isNew}
      size="xs"
      value={filter.age}
      onChange={(event) => onFilter({ age: findKnownWord(listingAges, event.currentTarget.value) ?? '' })}
      data={[
        { value: '', label: t('listings.anyAge') },
        ...listingAges.map((age) => ({ value: age, label: t(`listings.${age}`) })),
      ]}
    />
  ),
  price: ({ filter, isNew, onFilter }) =>
    (['min', 'max'] as const).map((end) => (
      <MoneyInputField
        key={end}
        className={styles.amount}
        size="xs"
        autoFocus={isNew && end === 'min'}
        aria-label={end === 'min' ? t('listings.priceFrom') : t('listings.priceTo')}
        placeholder={end === 'min' ? t('listings.priceFrom') : t('listings.priceTo')}
        value={filter[end]}
        onChange={(text) => onFilter({ [end]: text })}
      />
    )),
  status: ({ filter, counts, isNew, onFilter }) => (
    <NativeSelect
      aria-label={t('listings.otherState')}
      autoFocus={isNew}
      size="xs"
      value={isFilterSet(filter, 'status') ? filter.status : ''}
      onChange={(event) => onFilter({ status: findKnownWord(listingStatuses, event.currentTarget.value) ?? '' })}
      data={[
        { value: '', label: t('listings.anyState') },
        ...listOtherStatuses(counts).map(({ status, count }) => ({
          value: status,
          label: withCount(formatListingStatus(status), count),
        })),
      ]}
    />
  ),
};

const filterLabels = {
  site: 'listings.site',
  age: 'listings.age',
  price: 'listings.price',
  status: 'listings.otherState',
} as const satisfies Record<FilterName, string>;

type FiltersProps = StatusTabsProps & { added: AddedFilters };

const isFilterOffered = (name: FilterName, counts: Counts): boolean => {
  if (name === 'site') return hasSeveralSites(counts);
  return name !== 'status' || listOtherStatuses(counts).length > 0;
};

const AddFilterMenu = ({ filter, counts, added }: Omit<FiltersProps, 'onFilter'>) => {
  const left = filterNames.filter(
    (name) => isFilterOffered(name, counts) && !added.names.includes(name) && !isFilterSet(filter, name),
  );
  if (left.length === 0) return null;
  return (
    <Menu position="bottom-start" returnFocus={false}>
      <Menu.Target>
        <Button size="compact-sm" variant="quiet" leftSection={<IconFilter size={16} aria-hidden />}>
          {t('listings.addFilter')}
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        {left.map((name) => (
          <Menu.Item key={name} onClick={() => added.add(name)}>
            {t(filterLabels[name])}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  );
};

const ListingFilters = ({ filter, counts, added, onFilter }: FiltersProps) => (
  <div className={styles.filters} role="group" aria-label={t('listings.filters')}>
    {filterNames.map((name) => {
      const isNew = added.names.includes(name);
      if (!isNew && !isFilterSet(filter, name)) return null;
      const Field = filterFields[name];
      return (
        <div key={name} className={styles.filter}>
          <Field {...{ filter, counts, isNew, onFilter }} />
          <CloseButton
            size="md"
            aria-label={t('listings.removeFilter', { name: t(filterLabels[name]) })}
            onClick={() => added.remove(name)}
          />
        </div>
      );
    })}
    <AddFilterMenu {...{ filter, counts, added }} />
    {filterNames.some((name) => isFilterSet(filter, name)) && (
      <Button size="compact-sm" variant="quiet" onClick={added.clear}>
        {t('listings.clearFilters')}
      </Button>
    )}
  </div>
);

const sortLabelKeys = {
  newest: 'listings.newest',
  oldest: 'listings.oldest',
  cheapest: 'listings.cheapest',
  dearest: 'listings.dearest',
  title: 'listings.byTitle',
  titleDown: 'listings.byTitleDown',
  status: 'listings.byStatus',
  statusDown: 'listings.byStatusDown',
} as const satisfies Record<Sort, string>;
const isKnownSort = (name: string): name is Sort => Object.hasOwn(sortLabelKeys, name);

type ViewProps = {
  counts: Counts;
  view: ListView;
  onView: (view: ListView) => void;
  onExport: () => void;
  onAgain: () => void;
};

const ColumnsMenu = ({ counts, view, onView }: Pick<ViewProps, 'counts' | 'view' | 'onView'>) => (
  <Menu position="bottom-end" closeOnItemClick={false}>
    <Menu.Target>
      <ActionIcon className={styles.columns} size="md" aria-label={t('listings.columns')}>
        <IconColumns size={18} aria-hidden />
      </ActionIcon>
    </Menu.Target>
    <Menu.Dropdown>
      {columnNames
        .filter((name) => name !== 'site' || hasSeveralSites(counts))
        .map((name) => (
          <Menu.CheckboxItem
            key={name}
            checked={view.columns.includes(name)}
            onChange={(on) =>
              onView({
                ...view,
                columns: columnNames.filter((column) => (column === name ? on : view.columns.includes(column))),
              })
            }
          >
            {t(`listings.column.${name}`)}
          </Menu.CheckboxItem>
        ))}
    </Menu.Dropdown>
  </Menu>
);

export const ViewControls = ({ counts, view, onView, onExport, onAgain }: ViewProps) => (
  <div className={styles.view}>
    <SegmentedControl
      size="xs"
      aria-label={t('listings.view')}
      value={view.kind}
      onChange={(kind) => onView({ ...view, kind: kind === 'grid' ? 'grid' : 'table' })}
      data={[
        { value: 'table', label: t('listings.table') },
        { value: 'grid', label: t('listings.grid') },
      ]}
    />
    {view.kind === 'table' && <ColumnsMenu counts={counts} view={view} onView={onView} />}
    <Menu position="bottom-end">
      <Menu.Target>
        <ActionIcon size="md" aria-label={t('listings.more')}>
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

const ListingSearchField = ({ q, onFind }: { q: string; onFind: (q: string) => void }) => {
  const field = useRef<HTMLInputElement>(null);
  const [text, setText] = useTypedText(q, onFind);
  useScreenKeys({ '/': () => field.current?.focus() });
  return (
    <TextInput
      ref={field}
      data-search
      className={styles.find}
      size="xs"
      aria-label={t('listings.find')}
      placeholder={t('listings.findHint')}
      leftSection={<IconSearch size={16} aria-hidden />}
      value={text}
      onChange={(event) => setText(event.currentTarget.value)}
      onKeyDown={clearOnEscape(text, setText)}
    />
  );
};

type ToolbarProps = FiltersProps & { sort: Sort; onSort: (sort: Sort) => void };

export const ListingToolbar = ({ sort, onSort, ...filters }: ToolbarProps) => (
  <div className={styles.toolbar}>
    <ListingSearchField q={filters.filter.q} onFind={(q) => filters.onFilter({ q })} />
    <ListingFilters {...filters} />
    <NativeSelect
      className={styles.order}
      size="xs"
      aria-label={t('listings.sort')}
      value={sort}
      onChange={(event) => onSort(isKnownSort(event.currentTarget.value) ? event.currentTarget.value : 'newest')}
      data={Object.entries(sortLabelKeys).map(([value, key]) => ({ value, label: t(key) }))}
    />
  </div>
);
