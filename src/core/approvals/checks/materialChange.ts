import type { RouteName } from '../../../contract/index.ts';
import { bodyOf, canonical, listingIdOf, recordOf } from '../../base/json.ts';
import type { StoredSubject, Subject } from '../../storage/tables/approvalRecord.ts';
import { choosePolicies } from '../prompts/policies.ts';
import { foldText, promptKeyOf } from './promptKey.ts';

/** What a prompt is about, as far as it is known; `photos` is null where they are not. */
export type PromptFacts = {
  route: RouteName;
  input: unknown;
  listing: Record<string, unknown>;
  photos: readonly string[] | null;
  context: Record<string, unknown>;
};

export const promptFactsOf = (subject: Subject): PromptFacts => ({
  ...subject.request,
  listing: subject.listing ?? {},
  photos: subject.photos.map(({ sha256 }) => sha256),
  context: subject.context,
});

/** Routes whose bodies set fields of the listing. */
const setting: readonly RouteName[] = ['reviseListing', 'reviseChannels', 'updateListing'];

const fieldOf = ({ route, input, listing }: PromptFacts, name: string): unknown =>
  (setting.includes(route) ? recordOf(bodyOf(input))[name] : undefined) ?? listing[name] ?? null;

const titleOf = (facts: PromptFacts): unknown => {
  const title = fieldOf(facts, 'title');
  return typeof title === 'string' ? foldText(title) : title;
};

/** The policies that are named; those that the service chooses are no fact of the request. */
const policiesOf = ({ input, context }: PromptFacts): unknown[] => {
  const [template, defaults] = [context['template'], context['defaults']].map(recordOf);
  return choosePolicies({ request: recordOf(bodyOf(input)), template, defaults }, []).map(({ policyIds }) => policyIds);
};

/** A price that differs by less than a twentieth is the same price. */
const isOtherPrice = (before: unknown, after: unknown): boolean =>
  typeof before === 'number' && typeof after === 'number'
    ? Math.abs(after - before) * 20 >= Math.max(before, 1)
    : before !== after;

/** Fewer places than before: somebody may want exactly that. */
const isNarrower = (before: PromptFacts, after: PromptFacts): boolean => {
  const [was, is] = [before, after].map(({ route, input }) => promptKeyOf(route, input).places);
  return Array.isArray(is) && (!Array.isArray(was) || (is.length < was.length && is.every((one) => was.includes(one))));
};

/**
 * Whether a person who said no to the one may say otherwise to the other: a fact that matters differs. Where there is no
 * listing, that is any field of the request.
 */
export const isMaterialChange = (before: PromptFacts, after: PromptFacts): boolean => {
  if (listingIdOf(after.input) === null) return canonical(bodyOf(before.input)) !== canonical(bodyOf(after.input));
  const plain = (facts: PromptFacts): unknown => [
    titleOf(facts),
    ...['condition', 'categoryId', 'quantity', 'format'].map((name) => fieldOf(facts, name)),
    policiesOf(facts),
  ];
  return (
    canonical(plain(before)) !== canonical(plain(after)) ||
    isOtherPrice(fieldOf(before, 'price'), fieldOf(after, 'price')) ||
    (before.photos !== null && after.photos !== null && canonical(before.photos) !== canonical(after.photos)) ||
    isNarrower(before, after)
  );
};

/** The facts of what was stored; null for what was asked before there were subjects. */
export const storedFactsOf = (subject: StoredSubject): PromptFacts | null =>
  subject.version === 2 ? promptFactsOf(subject) : null;
