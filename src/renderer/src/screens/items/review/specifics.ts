/** One row of the editor. The key only tells rows apart on the screen. */
export type Row = { key: number; name: string; value: string };

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
