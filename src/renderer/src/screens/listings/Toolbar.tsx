import { Button, NativeSelect, TextInput, ActionIcon, Menu, SegmentedControl } from '@mantine/core';
import { listingStatuses, type ListingStatus } from '../../../../contract/index.ts';
import type { ListingCounts } from '../../api/call.ts';
import { t } from '../../i18n.ts';
import { findKnownWord } from '../../api/unknownRecord.ts';
import { formatListingStatus } from './ListingViews.tsx';
import {
  listingAges,
  isAnyFilterSet,
  noFilter,
  type ListingFilter,
  type Sort,
  columnNames,
  type ListView,
} from './useListings.ts';
import styles from './listings.module.css';
import { IconColumns, IconDots, IconFilter, IconSearch } from '@tabler/icons-react';
import { useRef } from 'react';
import { MoneyInputField } from '../../components/MoneyInput.tsx';
import { useScreenKeys } from '../../components/Keys.tsx';
import { formatNumber, getSiteCountryName } from '../../components/text/format.ts';

type FiltersProps = {
  filter: ListingFilter;
  counts: ListingCounts | undefined;
  folded: boolean;
  onChange: (filter: ListingFilter) => void;
};

const listStatusCounts = (counts: ListingCounts | undefined): [ListingStatus, number][] =>
  Object.entries(counts?.statuses ?? {}).flatMap(([name, count]): [ListingStatus, number][] => {
    const status = findKnownWord(listingStatuses, name);
    return status === undefined ? [] : [[status, count]];
  });

export const ListingFilters = ({ filter, counts, folded, onChange }: FiltersProps) => {
  const changeFilter = (change: Partial<ListingFilter>): void => onChange({ ...filter, ...change });
  return (
    <div className={styles.filters} data-folded={folded || undefined} role="group" aria-label={t('listings.filters')}>
      <NativeSelect
        aria-label={t('listings.state')}
        value={filter.status}
        onChange={(event) => changeFilter({ status: findKnownWord(listingStatuses, event.currentTarget.value) ?? '' })}
        data={[
          { value: '', label: t('listings.anyState', { number: formatNumber(counts?.all ?? 0) }) },
          ...listStatusCounts(counts).map(([value, count]) => ({
            value,
            label: `${formatListingStatus(value)} (${formatNumber(count)})`,
          })),
        ]}
      />
      <NativeSelect
        aria-label={t('listings.site')}
        value={filter.site}
        onChange={(event) => changeFilter({ site: event.currentTarget.value })}
        data={[
          { value: '', label: t('listings.anySite') },
          ...(counts?.sites ?? []).map(({ site, count }) => ({
            value: site,
            label: `${getSiteCountryName(site)} (${formatNumber(count)})`,
          })),
        ]}
      />
      <NativeSelect
        aria-label={t('listings.age')}
        value={filter.age}
        onChange={(event) => changeFilter({ age: findKnownWord(listingAges, event.currentTarget.value) ?? '' })}
        data={[
          { value: '', label: t('listings.anyAge') },
          ...listingAges.map((age) => ({ value: age, label: t(`listings.${age}`) })),
        ]}
      />
      {(['min', 'max'] as const).map((end) => (
        <MoneyInputField
          key={end}
          className={styles.amount}
          aria-label={end === 'min' ? t('listings.priceFrom') : t('listings.priceTo')}
          placeholder={end === 'min' ? t('listings.priceFrom') : t('listings.priceTo')}
          value={filter[end]}
          onChange={(text) => changeFilter({ [end]: text })}
        />
      ))}
      {isAnyFilterSet({ ...filter, q: '' }) && (
        <Button variant="quiet" onClick={() => onChange({ ...noFilter, q: filter.q })}>
          {t('listings.clearFilters')}
        </Button>
      )}
    </div>
  );
};

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

type ToolbarProps = {
  q: string;
  onFind: (q: string) => void;
  sort: Sort;
  onSort: (sort: Sort) => void;
  view: ListView;
  onView: (view: ListView) => void;
  folded: boolean;
  onFold: (() => void) | null;
  onExport: () => void;
  onAgain: () => void;
};

const ColumnsMenu = ({ view, onView }: Pick<ToolbarProps, 'view' | 'onView'>) => (
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

export const ListingToolbar = (props: ToolbarProps) => {
  const { q, onFind, sort, onSort, view, onView, folded, onFold, onExport, onAgain } = props;
  const field = useRef<HTMLInputElement>(null);
  useScreenKeys({ '/': () => field.current?.focus() });
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
        onChange={(event) => onSort(isKnownSort(event.currentTarget.value) ? event.currentTarget.value : 'newest')}
        data={Object.entries(sortLabelKeys).map(([value, key]) => ({ value, label: t(key) }))}
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
      {view.kind === 'table' && <ColumnsMenu view={view} onView={onView} />}
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
