/** Which listing a question was asked for as a step towards its publish: after its yes, the publish is offered again. */
const listings = new Map<string, string>();

/** Keeps for which refused listing a step was asked. */
export const rememberFix = (approvalId: string, listingId: string): void => void listings.set(approvalId, listingId);

/** The listing for which this step was asked; null when it was asked for itself. */
export const fixedFor = (approvalId: string): string | null => listings.get(approvalId) ?? null;

/** The question was replaced by another: what it was asked for stays. */
export const carryFix = (from: string, to: string): void => {
  const listingId = listings.get(from);
  if (listingId !== undefined) listings.set(to, listingId);
};
