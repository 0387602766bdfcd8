/** The listing that a request is about, by its path or by its body; null for one that is about none. */
export const listingIdOf = (input: object): string | null => {
  const { params, body } = input as { params?: Record<string, string>; body?: unknown };
  const named = body !== null && typeof body === 'object' && 'listingId' in body ? body.listingId : undefined;
  const id = params?.['listingId'] ?? named;
  return typeof id === 'string' ? id : null;
};
