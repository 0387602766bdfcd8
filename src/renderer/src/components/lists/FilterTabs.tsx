import type { KeyboardEvent } from 'react';
import styles from './filterTabs.module.css';
import { formatNumber } from '../text/format.ts';

export type FilterTab<T extends string> = { value: T; label: string; count?: number | undefined };

type Props<T extends string> = {
  label: string;
  tabs: readonly FilterTab<T>[];
  value: T;
  onChange: (value: T) => void;
};

const arrowSteps: Readonly<Record<string, number>> = { ArrowRight: 1, ArrowLeft: -1 };

const focusNeighbour = (tab: HTMLElement, step: number): void => {
  const all = [...(tab.parentElement?.querySelectorAll<HTMLElement>('[role=tab]') ?? [])];
  const next = all.at((all.indexOf(tab) + step) % all.length);
  next?.focus();
  next?.click();
};

/** Tabs that filter a list. The arrow keys move between them, as in any list of tabs. */
export const FilterTabs = <T extends string>({ label, tabs, value, onChange }: Props<T>) => {
  const moveByArrow = (event: KeyboardEvent<HTMLButtonElement>): void => {
    const step = arrowSteps[event.key];
    if (step === undefined) return;
    event.preventDefault();
    focusNeighbour(event.currentTarget, step);
  };
  return (
    <div className={styles.tabs} role="tablist" aria-label={label} data-own-keys="ArrowLeft ArrowRight">
      {tabs.map((tab) => (
        <button
          key={tab.value}
          type="button"
          role="tab"
          className={styles.tab}
          aria-selected={tab.value === value}
          tabIndex={tab.value === value ? 0 : -1}
          onClick={() => onChange(tab.value)}
          onKeyDown={moveByArrow}
        >
          {tab.label}
          {tab.count !== undefined && <span className={styles.count}> {formatNumber(tab.count)}</span>}
        </button>
      ))}
    </div>
  );
};
