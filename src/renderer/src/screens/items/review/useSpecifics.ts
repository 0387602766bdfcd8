import { useRef, useState } from 'react';
import { sentenceOf } from '../../../api/callError.ts';
import type { OnHeld } from './useSaveListing.ts';
import { fromRows, inOrder, toRows, twice, type Row } from './specifics.ts';
import { t } from '../../../i18n/t.ts';

type Specifics = Readonly<Record<string, string>>;

const same = (a: Specifics, b: Specifics): boolean =>
  JSON.stringify(Object.entries(a)) === JSON.stringify(Object.entries(b));

/** That it is saved, or will be; and what is wrong. */
type Status = { note: string | null; problem: string | null };
const quiet: Status = { note: null, problem: null };

type Given = {
  saved: Specifics;
  /** Names that the category requires. */
  required: readonly string[];
  save: (specifics: Record<string, string>, onHeld: OnHeld) => Promise<void>;
};

/** The rows of the editor: theirs while they are edited, the listing's otherwise. */
export const useSpecifics = ({ saved, required, save }: Given) => {
  const [rows, setRows] = useState(() => toRows(saved));
  const [base, setBase] = useState(saved);
  const [status, setStatus] = useState<Status>(quiet);
  const nextKey = useRef(1_000);
  if (base !== saved) {
    setBase(saved);
    const untouched = same(fromRows(rows), base) && rows.every((row) => row.name.trim() && row.value.trim());
    if (untouched && !same(saved, base)) setRows(toRows(saved));
  }
  const keep = async (now: readonly Row[] = rows): Promise<void> => {
    const double = twice(now);
    if (double !== null) return setStatus({ note: null, problem: t('review.twice', { name: double }) });
    const next = fromRows(now);
    if (same(next, saved)) return setStatus((before) => ({ ...before, problem: null }));
    try {
      await save(next, (note) => setStatus({ note, problem: null }));
      setStatus({ note: t('parts.saved'), problem: null });
    } catch (error) {
      setStatus({ note: null, problem: sentenceOf(error) });
    }
  };
  return {
    ...status,
    rows: inOrder(rows, required),
    keep,
    /** A new row, with a name that is known or without one. */
    add: (name = '') => setRows([...rows, { key: nextKey.current++, name, value: '' }]),
    type: ({ key, name, value }: Row) => {
      setStatus(quiet);
      const next = { key, name, value };
      setRows(
        rows.some((old) => old.key === key) ? rows.map((old) => (old.key === key ? next : old)) : [...rows, next],
      );
    },
    remove: (key: number) => {
      const left = rows.filter((row) => row.key !== key);
      setRows(left);
      return keep(left);
    },
  };
};
