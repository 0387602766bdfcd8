/** Where a row of the interface is proved: test files of test/flows/practice, and the names of their tests. */
type Proofs = Readonly<Record<string, string | readonly string[]>>;

/** What a row is about in our own words, and its proofs; or why it is nothing that a service can be held to. */
export type Row = { about: string } & ({ proof: Proofs } | { duty: string });

/** Names of tests that prove more than one row. */
export const ordered = { faultCodes: '%s is refused with %s once when that fault is ordered, and has no effect' };
export const approvals =
  'an extras approval is refused while extras are off or at another rate, has a receipt, can be superseded, has a daily limit and can be ended';
export const extraUse =
  'an extra is used after plan and credits, charged once, and only for the assistant that has the extras approval';
export const moves = 'is refused with 409 from %s';
export const onOff = 'extras are turned on at the reported rate, with an e-mail, and can be turned off at any time';
export const budget = '%s is answered 429 when its budget is spent, and the answer says whose budget it is';
