/** The tests that prove a row of the interface: file names in test/flows/practice, each with titles of tests. */
type Proofs = Readonly<Record<string, string | readonly string[]>>;

/** A row of the interface in our own words, with its tests, or with a reason why a service cannot be tested for it. */
export type Row = { about: string } & ({ proof: Proofs } | { duty: string });

/** Titles of tests that prove more than one row. */
export const ordered = { faultCodes: 'a simulated fault refuses the next %s call with %s' };
export const approvals = 'an extras approval is refused while extras are off or if it names a different rate';
export const extraUse = 'an extra is charged once, and only to the assistant with the approval';
export const moves = [
  'is accepted for a %s listing, which is then %s',
  'is refused with 409 for a %s listing',
] as const;
export const onOff = 'extras can be turned on only at the current rate';
export const budget = '%s is refused with 429 once its daily budget is used up';
