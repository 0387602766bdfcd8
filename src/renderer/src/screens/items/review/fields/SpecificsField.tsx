import type { Blocker } from './fieldProblems.ts';
import { ActionIcon, TextInput, Button } from '@mantine/core';
import { IconX, IconPlus } from '@tabler/icons-react';
import { useId, type KeyboardEvent, useRef, useState } from 'react';
import { ProblemLine } from '../../../../components/ScreenPage.tsx';
import { UntrustedText, escapeHiddenText } from '../../../../components/text/UntrustedText.tsx';
import { onCtrlEnter } from '../../../../components/fields/DraftField.tsx';
import { t } from '../../../../i18n.ts';
import styles from '../review.module.css';
import { getErrorSentence, type Listing } from '../../../../api/call.ts';
import type { OnQueued, SaveListing } from '../QueuedEdits.tsx';
import { useCategoryFacts } from './CategoryField.tsx';

/** `key` is only a React key. */
type SpecificEntry = { key: number; name: string; value: string };
/** A required row cannot be renamed and stays at the top. */
type ShownSpecificEntry = SpecificEntry & { required: boolean };

export const toSpecificRows = (specifics: Readonly<Record<string, string>>): SpecificEntry[] =>
  Object.entries(specifics).map(([name, value], key) => ({ key, name, value }));

export const collectSpecifics = (rows: readonly SpecificEntry[]): Record<string, string> =>
  Object.fromEntries(
    rows.flatMap(({ name, value }) => (name.trim() && value.trim() ? [[name.trim(), value.trim()]] : [])),
  );

/** If a name occurred twice, only one of its two values would be saved. */
export const findDuplicateName = (rows: readonly SpecificEntry[]): string | null => {
  const names = rows.map((row) => row.name.trim()).filter(Boolean);
  return names.find((name, at) => names.indexOf(name) !== at) ?? null;
};

export const sortRequiredFirst = (
  rows: readonly SpecificEntry[],
  required: readonly string[],
): ShownSpecificEntry[] => {
  const first = required.map((name, at): ShownSpecificEntry => {
    const own = rows.find((row) => row.name.trim() === name);
    return { ...(own ?? { key: -1 - at, name, value: '' }), required: true };
  });
  const keys = new Set(first.map(({ key }) => key));
  return [...first, ...rows.filter(({ key }) => !keys.has(key)).map((row) => ({ ...row, required: false }))];
};

/** The keys are the names of item specifics, from fields such as `itemSpecifics.Brand`. */
export const groupBlockersByName = (blockers: readonly Blocker[]): ReadonlyMap<string, string> =>
  new Map(
    blockers.flatMap(({ field, message }): [string, string][] => {
      const name = /^(?:body\.)?itemSpecifics\.(.+)$/.exec(field ?? '')?.[1];
      return name === undefined || message === undefined ? [] : [[name, message]];
    }),
  );

type ItemSpecificRowProps = {
  row: ShownSpecificEntry;
  problem: string | undefined;
  onType: (row: SpecificEntry) => void;
  onKeep: () => Promise<void>;
  onRemove: () => void;
};

const RequiredSpecificName = ({ row, id }: { row: ShownSpecificEntry; id: string }) => (
  <label htmlFor={id} className={styles.required}>
    <UntrustedText text={row.name} fold={80} /> <small>{t('review.required')}</small>
  </label>
);

const ItemSpecificRow = ({ row, problem, onType, onKeep, onRemove }: ItemSpecificRowProps) => {
  const id = useId();
  const name = escapeHiddenText(row.name) || t('review.newSpecific');
  const both = {
    onBlur: () => void onKeep(),
    onKeyDown: onCtrlEnter(onKeep) satisfies (e: KeyboardEvent) => void,
  };
  return (
    <li>
      <div className={styles.specific}>
        {row.required ? (
          <RequiredSpecificName row={row} id={id} />
        ) : (
          <TextInput
            {...both}
            aria-label={t('review.nameOf', { name })}
            value={row.name}
            onChange={(event) => onType({ ...row, name: event.currentTarget.value })}
          />
        )}
        <TextInput
          {...both}
          id={id}
          aria-label={row.required ? undefined : t('review.valueOf', { name })}
          aria-required={row.required || undefined}
          aria-describedby={problem ? `${id}-problem` : undefined}
          error={problem !== undefined}
          placeholder={row.required ? t('review.needed') : undefined}
          value={row.value}
          autoFocus={row.key >= 1_000 && row.name !== ''}
          onChange={(event) => onType({ ...row, value: event.currentTarget.value })}
        />
        {!row.required && (
          <ActionIcon aria-label={t('review.removeOne', { name })} onClick={onRemove}>
            <IconX size={16} aria-hidden />
          </ActionIcon>
        )}
      </div>
      {problem && <ProblemLine id={`${id}-problem`}>{problem}</ProblemLine>}
    </li>
  );
};

type Specifics = Readonly<Record<string, string>>;

/** This is a constant, because `useSpecificsEditor` treats a new object as newly saved specifics. */
const noSpecifics: Specifics = {};

const areSpecificsEqual = (a: Specifics, b: Specifics): boolean =>
  JSON.stringify(Object.entries(a)) === JSON.stringify(Object.entries(b));

type SaveStatus = { note: string | null; problem: string | null };
const idleStatus: SaveStatus = { note: null, problem: null };

type SpecificsEditorOptions = {
  saved: Specifics;
  required: readonly string[];
  save: (specifics: Record<string, string>, onHeld: OnQueued) => Promise<void>;
};

/** Newly saved specifics replace the rows only if the rows have no unsaved edits. */
const useSpecificsEditor = ({ saved, required, save }: SpecificsEditorOptions) => {
  const [rows, setRows] = useState(() => toSpecificRows(saved));
  const [base, setBase] = useState(saved);
  const [status, setStatus] = useState<SaveStatus>(idleStatus);
  const nextKey = useRef(1_000);
  if (base !== saved) {
    setBase(saved);
    const untouched =
      areSpecificsEqual(collectSpecifics(rows), base) && rows.every((row) => row.name.trim() && row.value.trim());
    if (untouched && !areSpecificsEqual(saved, base)) setRows(toSpecificRows(saved));
  }
  const saveRows = async (now: readonly SpecificEntry[] = rows): Promise<void> => {
    const double = findDuplicateName(now);
    if (double !== null) return setStatus({ note: null, problem: t('review.twice', { name: double }) });
    const next = collectSpecifics(now);
    if (areSpecificsEqual(next, saved)) return setStatus((before) => ({ ...before, problem: null }));
    try {
      await save(next, (note) => setStatus({ note, problem: null }));
      setStatus({ note: t('parts.saved'), problem: null });
    } catch (error) {
      setStatus({ note: null, problem: getErrorSentence(error) });
    }
  };
  return {
    ...status,
    rows: sortRequiredFirst(rows, required),
    keep: saveRows,
    add: (name = '') => setRows([...rows, { key: nextKey.current++, name, value: '' }]),
    type: ({ key, name, value }: SpecificEntry) => {
      setStatus(idleStatus);
      const next = { key, name, value };
      setRows(
        rows.some((old) => old.key === key) ? rows.map((old) => (old.key === key ? next : old)) : [...rows, next],
      );
    },
    remove: (key: number) => {
      const left = rows.filter((row) => row.key !== key);
      setRows(left);
      return saveRows(left);
    },
  };
};

type SpecificsFieldProps = {
  listing: Listing;
  save: SaveListing;
  problems: readonly string[] | undefined;
};

const RecommendedSpecifics = ({ names, onAdd }: { names: readonly string[]; onAdd: (name: string) => void }) =>
  names.length === 0 ? null : (
    <div className={styles.often}>
      <span className={styles.soft}>{t('review.often')}</span>
      {names.map((name) => (
        <Button
          key={name}
          size="compact-sm"
          leftSection={<IconPlus size={14} aria-hidden />}
          aria-label={t('review.addOne', { name: escapeHiddenText(name) })}
          onClick={() => onAdd(name)}
        >
          {escapeHiddenText(name)}
        </Button>
      ))}
    </div>
  );

export const SpecificsField = ({ listing, save, problems = [] }: SpecificsFieldProps) => {
  const facts = useCategoryFacts(listing);
  const blocked = groupBlockersByName(listing.publishBlockers ?? []);
  // Blockers can name required specifics that the category does not report, so both are included.
  const required = [...new Set([...facts.required, ...blocked.keys()])];
  const specifics = useSpecificsEditor({
    saved: listing.itemSpecifics ?? noSpecifics,
    required,
    save: (itemSpecifics, onHeld) => save({ itemSpecifics }, onHeld),
  });
  const others = problems.filter((problem) => ![...blocked.values()].includes(problem));
  const hasSpecificRow = (name: string): boolean => specifics.rows.some((row) => row.name.trim() === name);
  return (
    <section aria-label={t('review.specifics')}>
      <div className={styles.line}>
        <h3>{t('review.specifics')}</h3>
        <span className={styles.soft} aria-live="polite">
          {specifics.note}
        </span>
        <Button
          size="compact-sm"
          variant="quiet"
          leftSection={<IconPlus size={14} aria-hidden />}
          onClick={() => specifics.add()}
        >
          {t('review.add')}
        </Button>
      </div>
      {[...(specifics.problem === null ? [] : [specifics.problem]), ...others].map((problem) => (
        <ProblemLine key={problem}>{problem}</ProblemLine>
      ))}
      <ul className={styles.specifics}>
        {specifics.rows.map((row) => (
          <ItemSpecificRow
            key={row.required ? row.name : row.key}
            row={row}
            problem={blocked.get(row.name.trim())}
            onType={specifics.type}
            onKeep={() => specifics.keep()}
            onRemove={() => void specifics.remove(row.key)}
          />
        ))}
      </ul>
      <RecommendedSpecifics names={facts.recommended.filter((name) => !hasSpecificRow(name))} onAdd={specifics.add} />
    </section>
  );
};
