/** A collator takes milliseconds to create, so it is created when it is first needed. */
let collator: Intl.Collator | null = null;

/** Compares the numbers in names by value, so that IMG_2 comes before IMG_10. */
export const compareNaturally = (a: string, b: string): number => {
  collator ??= new Intl.Collator('en', { numeric: true, sensitivity: 'base' });
  return collator.compare(a, b) || (a < b ? -1 : a > b ? 1 : 0);
};

const fileExtension = /\.[a-z0-9]{1,5}$/i;

/** Compares names of files without their extensions first, so that `IMG_11 2.JPG` comes after `IMG_11.JPG`. */
export const compareFileNames = (a: string, b: string): number =>
  compareNaturally(a.replace(fileExtension, ''), b.replace(fileExtension, '')) || compareNaturally(a, b);
