import { bodyOf, paramsOf, recordOf } from './unknownRecord.ts';

/** The listing that a request is about, by its path or by its body; null for one that is about none. */
export const listingIdOf = (input: unknown): string | null => {
  const id = paramsOf(input)['listingId'] ?? recordOf(bodyOf(input))['listingId'];
  return typeof id === 'string' ? id : null;
};
