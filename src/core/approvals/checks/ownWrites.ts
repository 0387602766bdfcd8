import type { RouteName } from '../../../contract/index.ts';
import { createBoundedMap } from '../../base/boundedMap.ts';
import { readRequestBody, toRecordOrEmpty } from '../../base/json.ts';
import { toAskerId, type Asker } from '../../base/request.ts';
import type { Clock } from '../../base/ports.ts';
import { findWrittenListing } from '../listingLocks.ts';

const maxNoted = 2_000;

/** When an asker last changed a listing without an approval. */
export type OwnWrites = {
  noteWrite: (by: Asker, route: RouteName, input: object) => void;
  /** Returns the ms since that change; `Infinity` if there was none since the start. */
  agoMs: (askerId: string, listingId: string) => number;
};

/** New photos change a listing; the request for upload slots names it in its body. */
const findChangedListing = (route: RouteName, input: object): string | null => {
  if (route !== 'requestUploads') return findWrittenListing(route, input);
  const { listingId } = toRecordOrEmpty(readRequestBody(input));
  return typeof listingId === 'string' ? listingId : null;
};

export const createOwnWrites = (clock: Clock): OwnWrites => {
  const wroteAtMs = createBoundedMap<string, number>(maxNoted);
  const createWriteKey = (askerId: string, listingId: string): string => `${askerId} ${listingId}`;
  return {
    noteWrite: (by, route, input) => {
      const listingId = findChangedListing(route, input);
      if (listingId !== null) wroteAtMs.set(createWriteKey(toAskerId(by), listingId), clock.elapsedMs());
    },
    agoMs: (askerId, listingId) => clock.elapsedMs() - (wroteAtMs.get(createWriteKey(askerId, listingId)) ?? -Infinity),
  };
};
