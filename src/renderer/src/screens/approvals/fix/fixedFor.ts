/** Which listing a question was asked for as a step towards its publish: after its yes, the publish is offered again. */
const listings = new Map<string, string>();

export const rememberFix = (approvalId: string, listingId: string): void => void listings.set(approvalId, listingId);

export const fixedFor = (approvalId: string): string | null => listings.get(approvalId) ?? null;

/** The question was replaced by another: what it was asked for stays. */
export const carryFix = (from: string, to: string): void => {
  const listingId = listings.get(from);
  if (listingId !== undefined) listings.set(to, listingId);
};
