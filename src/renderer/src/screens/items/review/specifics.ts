import type { Blocker } from '../../../parts/blockers.ts';

/** One row of the editor. The key only tells rows apart on the screen. */
export type Row = { key: number; name: string; value: string };
/** A row as it is shown; one that the category requires keeps its name and its place at the top. */
export type ShownRow = Row & { required: boolean };

/** The item specifics of a listing as rows that can be edited. */
export const toRows = (specifics: Readonly<Record<string, string>>): Row[] =>
  Object.entries(specifics).map(([name, value], key) => ({ key, name, value }));

/** What the rows say; a row without a name or a value says nothing. */
export const fromRows = (rows: readonly Row[]): Record<string, string> =>
  Object.fromEntries(
    rows.flatMap(({ name, value }) => (name.trim() && value.trim() ? [[name.trim(), value.trim()]] : [])),
  );

/** A name that stands twice, which would lose one of the values. */
export const twice = (rows: readonly Row[]): string | null => {
  const names = rows.map((row) => row.name.trim()).filter(Boolean);
  return names.find((name, at) => names.indexOf(name) !== at) ?? null;
};

/** The rows with the required ones first, those that are missing among them with nothing in them yet. */
export const inOrder = (rows: readonly Row[], required: readonly string[]): ShownRow[] => {
  const first = required.map((name, at): ShownRow => {
    const own = rows.find((row) => row.name.trim() === name);
    return { ...(own ?? { key: -1 - at, name, value: '' }), required: true };
  });
  const keys = new Set(first.map(({ key }) => key));
  return [...first, ...rows.filter(({ key }) => !keys.has(key)).map((row) => ({ ...row, required: false }))];
};

/** What keeps single specifics from being published, by their name, from blockers at `itemSpecifics.Brand`. */
export const blockersByName = (blockers: readonly Blocker[]): ReadonlyMap<string, string> =>
  new Map(
    blockers.flatMap(({ field, message }): [string, string][] => {
      const name = /^(?:body\.)?itemSpecifics\.(.+)$/.exec(field ?? '')?.[1];
      return name === undefined || message === undefined ? [] : [[name, message]];
    }),
  );
