import type { RouteName } from '../../../contract/index.ts';
import { createBoundedMap } from '../../base/boundedMap.ts';
import { getRequestBody, toRecordOrEmpty } from '../../base/json.ts';
import { toAskerId, type Asker } from '../../base/request.ts';
import type { Clock } from '../../base/ports.ts';
import { findWrittenListingId } from '../listingLocks.ts';

const maxNoted = 2_000;

/** Records when an asker last changed a listing without an approval. */
export type OwnWriteTracker = {
  noteWrite: (by: Asker, route: RouteName, input: object) => void;
  /** Returns the ms since the asker last changed the listing; Infinity if the asker has not changed it in this run. */
  agoMs: (askerId: string, listingId: string) => number;
};

/** A request for upload slots changes the listing that its body names. */
const findChangedListingId = (route: RouteName, input: object): string | null => {
  if (route !== 'requestUploads') return findWrittenListingId(route, input);
  const { listingId } = toRecordOrEmpty(getRequestBody(input));
  return typeof listingId === 'string' ? listingId : null;
};

export const createOwnWriteTracker = (clock: Clock): OwnWriteTracker => {
  const wroteAtMs = createBoundedMap<string, number>(maxNoted);
  const createWriteKey = (askerId: string, listingId: string): string => `${askerId} ${listingId}`;
  return {
    noteWrite: (by, route, input) => {
      const listingId = findChangedListingId(route, input);
      if (listingId !== null) wroteAtMs.set(createWriteKey(toAskerId(by), listingId), clock.elapsedMs());
    },
    agoMs: (askerId, listingId) => clock.elapsedMs() - (wroteAtMs.get(createWriteKey(askerId, listingId)) ?? -Infinity),
  };
};
