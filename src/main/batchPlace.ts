/** The place in the window where a batch is open. */
export const batchPlace = (batchId: string): string => `/approvals?batch=${encodeURIComponent(batchId)}`;
