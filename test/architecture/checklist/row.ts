/** Where a row of the interface is proved: test files of test/flows/practice, and the names of their tests. */
type Proofs = Readonly<Record<string, string | readonly string[]>>;

/** What a row is about in our own words, and its proofs; or why it is nothing that a service can be held to. */
export type Row = { about: string } & ({ proof: Proofs } | { duty: string });

/** Names of tests that prove more than one row. */
export const ordered = { faultCodes: '%s is refused with %s when it is ordered, once, and without an effect' };
export const approvals = 'an approval: off, another rate, a receipt, replaced, a day’s share, ended';
export const extraUse =
  'an extra is used after plan and credits, charged once, and only by the assistant that has the approval';
export const moves = 'from %s';
export const onOff = 'extras are turned on at the reported rate, with a mail, and off at any time';
export const budget = '%s is 429 when its budget is spent, and says whose budget it is';
