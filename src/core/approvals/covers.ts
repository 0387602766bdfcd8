import type { RouteName } from '../../contract/index.ts';
import { bodyOf, recordOf } from '../base/unknownRecord.ts';
import { differencesOf, type Difference } from './subject.ts';
import type { StoredSubject, Subject } from '../storage/tables/subjectRecord.ts';

const ends: readonly RouteName[] = ['endListing', 'endChannels'];
const revises: readonly RouteName[] = ['reviseListing', 'reviseChannels'];

/** A sale leaves fewer: that concerns neither an end nor a change of something else. */
const leavesQuantityAlone = ({ request: { route, input } }: Subject): boolean => {
  if (ends.includes(route)) return true;
  return revises.includes(route) && !('quantity' in recordOf(bodyOf(input)));
};

const isSale = ({ path, before, after }: Difference, subject: Subject): boolean =>
  path.join('.') === 'listing.quantity' &&
  typeof before === 'number' &&
  typeof after === 'number' &&
  after < before &&
  leavesQuantityAlone(subject);

/** The notice to which the yes would also agree has been agreed to since: it asks for less than what was shown. */
const isAgreedSince = ({ path }: Difference, before: Subject, after: Subject): boolean =>
  (path[0] === 'first' || path.join('.') === 'feeNotice.agreed') &&
  before.feeNotice?.agreed === false &&
  after.feeNotice?.agreed === true &&
  after.feeNotice.site === before.feeNotice.site &&
  after.first.length === 0;

/** Differences for which a yes to `before` is none to `after`; `moving` are fields of listings that move by themselves. */
export const unboundDifferences = (before: Subject, after: Subject, moving: ReadonlySet<string>): Difference[] =>
  differencesOf(before, after).filter(
    (one) =>
      !isSale(one, before) &&
      !isAgreedSince(one, before, after) &&
      !(one.path[0] === 'listing' && moving.has(one.path[1] ?? '')),
  );

/** Whether a yes to the stored subject covers the fresh one. One from before there were subjects covers nothing. */
export const covers = (before: StoredSubject, after: Subject, moving: ReadonlySet<string>): boolean =>
  before.version === 2 && unboundDifferences(before, after, moving).length === 0;
