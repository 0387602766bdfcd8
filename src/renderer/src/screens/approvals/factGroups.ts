import type { Fact, Prompt } from '../../api/types.ts';

type Namespace = Fact['namespace'];

/** Facts of one origin. `raw`: their names were given by others. `atOnce`: how many are seen before "Show all". */
export type FactGroup = { namespace: Namespace; facts: readonly Fact[]; raw: boolean; atOnce: number };

/** In the order in which they are read: ours first, then what others named, and last all the rest. */
const groups: readonly Omit<FactGroup, 'facts'>[] = [
  { namespace: 'listing', raw: false, atOnce: 7 },
  { namespace: 'request', raw: false, atOnce: 7 },
  { namespace: 'account', raw: false, atOnce: 7 },
  { namespace: 'defaults', raw: false, atOnce: 4 },
  { namespace: 'specifics', raw: true, atOnce: 4 },
  { namespace: 'policies', raw: true, atOnce: 4 },
  { namespace: 'templates', raw: true, atOnce: 4 },
  { namespace: 'record', raw: true, atOnce: 0 },
];

/** The facts of a prompt by their origin. The title of its target is left out, as it stands above them. */
export const groupsOf = ({ facts, target }: Pick<Prompt, 'facts' | 'target'>): FactGroup[] =>
  groups.flatMap((group) => {
    const own = facts.filter(
      ({ namespace, key }) =>
        namespace === group.namespace && !(target !== null && namespace === 'listing' && key === 'title'),
    );
    return own.length === 0 ? [] : [{ ...group, facts: own }];
  });

/** The value of a fact of the listing that we have a name for. */
export const listingFact = (facts: readonly Fact[], key: string): Fact | undefined =>
  facts.find((fact) => fact.namespace === 'listing' && fact.key === key);
