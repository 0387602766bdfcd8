/** Created lazily, because it takes milliseconds of the start. */
let collator: Intl.Collator | null = null;

/** Compares names with numeric order: IMG_2 before IMG_10. */
export const compareNaturally = (a: string, b: string): number => {
  collator ??= new Intl.Collator('en', { numeric: true, sensitivity: 'base' });
  return collator.compare(a, b) || (a < b ? -1 : a > b ? 1 : 0);
};
