import { recordOf } from './unknownRecord.ts';

/** The listing that a request is about, by its path or by its body; null for one that is about none. */
export const listingIdOf = (input: object): string | null => {
  const { params, body } = recordOf(input);
  const id = recordOf(params)['listingId'] ?? recordOf(body)['listingId'];
  return typeof id === 'string' ? id : null;
};
