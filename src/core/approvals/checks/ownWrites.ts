import type { RouteName } from '../../../contract/index.ts';
import { createBoundedMap } from '../../base/boundedMap.ts';
import { bodyOf, recordOf } from '../../base/json.ts';
import { askerIdOf, type Asker } from '../../base/request.ts';
import type { Clock } from '../../base/ports.ts';
import { writtenListing } from '../listingLocks.ts';

const maxNoted = 2_000;

/** When an asker last changed a listing without an approval. */
export type OwnWrites = {
  note: (by: Asker, route: RouteName, input: object) => void;
  /** Returns the ms since that change; `Infinity` if there was none since the start. */
  agoMs: (askerId: string, listingId: string) => number;
};

/** New photos change a listing; the request for upload slots names it in its body. */
const changedListing = (route: RouteName, input: object): string | null => {
  if (route !== 'requestUploads') return writtenListing(route, input);
  const { listingId } = recordOf(bodyOf(input));
  return typeof listingId === 'string' ? listingId : null;
};

export const createOwnWrites = (clock: Clock): OwnWrites => {
  const wroteAtMs = createBoundedMap<string, number>(maxNoted);
  const nameOf = (askerId: string, listingId: string): string => `${askerId} ${listingId}`;
  return {
    note: (by, route, input) => {
      const listingId = changedListing(route, input);
      if (listingId !== null) wroteAtMs.set(nameOf(askerIdOf(by), listingId), clock.elapsedMs());
    },
    agoMs: (askerId, listingId) => clock.elapsedMs() - (wroteAtMs.get(nameOf(askerId, listingId)) ?? -Infinity),
  };
};
