import { ActionIcon, Menu, NativeSelect, SegmentedControl, TextInput } from '@mantine/core';
import { IconColumns, IconDots, IconSearch } from '@tabler/icons-react';
import { useRef } from 'react';
import { t } from '../../i18n/t.ts';
import { oneOf } from '../../parts/loose.ts';
import { useKeys } from '../../parts/useKeys.ts';
import type { Sort } from './filter.ts';
import { columnNames, type View } from './useView.ts';
import styles from './listings.module.css';

const sorts: readonly Sort[] = ['newest', 'oldest', 'cheapest', 'dearest', 'title'];

type Props = {
  q: string;
  onFind: (q: string) => void;
  sort: Sort;
  onSort: (sort: Sort) => void;
  view: View;
  onView: (view: View) => void;
  onExport: () => void;
  onAgain: () => void;
};

const Columns = ({ view, onView }: Pick<Props, 'view' | 'onView'>) => (
  <Menu position="bottom-end" closeOnItemClick={false}>
    <Menu.Target>
      <ActionIcon aria-label={t('listings.columns')}>
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

/** Finds, orders and shows: the head of the list. */
export const Toolbar = ({ q, onFind, sort, onSort, view, onView, onExport, onAgain }: Props) => {
  const field = useRef<HTMLInputElement>(null);
  useKeys({ 'mod+k': () => field.current?.focus(), '/': () => field.current?.focus() });
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
          if (event.key === 'Escape') onFind('');
        }}
      />
      <NativeSelect
        aria-label={t('listings.sort')}
        value={sort}
        onChange={(event) => onSort(oneOf(sorts, event.currentTarget.value) ?? 'newest')}
        data={sorts.map((value) => ({ value, label: t(`listings.${value === 'title' ? 'byTitle' : value}`) }))}
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
