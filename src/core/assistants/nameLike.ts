/** Letters of other scripts and digits that look like Latin letters, by what they look like. */
const lookalikes: Readonly<Record<string, string>> = {
  '0': 'o',
  '1': 'l',
  '3': 'e',
  '5': 's',
  '|': 'l',
  i: 'l',
  а: 'a',
  в: 'b',
  с: 'c',
  ԁ: 'd',
  е: 'e',
  һ: 'h',
  і: 'l',
  ј: 'j',
  к: 'k',
  м: 'm',
  н: 'h',
  о: 'o',
  р: 'p',
  ѕ: 's',
  т: 't',
  у: 'y',
  х: 'x',
  α: 'a',
  β: 'b',
  ε: 'e',
  ι: 'l',
  κ: 'k',
  ν: 'v',
  ο: 'o',
  ρ: 'p',
  τ: 't',
  υ: 'u',
  χ: 'x',
};

/** A name without what the eye passes over: case, accents, spaces, signs, and which script a letter is from. */
const skeletonOf = (name: string): string =>
  [...name.normalize('NFKD').toLowerCase()]
    .map((char) => lookalikes[char] ?? char)
    .join('')
    .replace(/[^\p{L}\p{N}]/gu, '')
    .replaceAll('rn', 'm')
    .replaceAll('vv', 'w');

/** What stands for the person or for this program in one of our languages: nobody else may go by it. */
const ofPerson: readonly string[] = [
  ...['You', 'The person', 'Sie', 'Du', 'Vous', 'Toi', 'Te', 'Tu', 'Lei', 'Usted', 'Tú', 'U', 'Jij', 'Ty', 'Ciebie'],
  ...['Listing Companion', 'The companion', 'Companion'],
];

/** How the commands of this program call themselves when the person lets them in. */
export const commandLineName = 'Command line';

const skeletons = (names: readonly string[]): ReadonlySet<string> => new Set(names.map(skeletonOf));
const skeletonsOfPerson = skeletons(ofPerson);
const skeletonsOfOurs = skeletons([commandLineName, 'Listing Companion command line', 'Terminal']);

/**
 * What a name is easily taken for: the person or the companion themselves (`person`), or the companion's own commands
 * (`commands`); null for any other name.
 */
export const reservedLike = (name: string): 'person' | 'commands' | null => {
  const skeleton = skeletonOf(name);
  if (skeletonsOfPerson.has(skeleton)) return 'person';
  return skeletonsOfOurs.has(skeleton) ? 'commands' : null;
};

/** What a person should know of a name: that it is reserved, or that another assistant's is easily taken for it. */
export type NameLike = { kind: 'reserved' } | { kind: 'assistant'; name: string };

/**
 * Whether a name is reserved or like one of the others; null when it is neither. Of one that was let in as the
 * companion's own commands the person was told when they let it in.
 */
export const nameLike = (name: string, others: readonly string[], isLetIn = false): NameLike | null => {
  const reserved = reservedLike(name);
  if (reserved === 'person' || (reserved === 'commands' && !isLetIn)) return { kind: 'reserved' };
  const wanted = skeletonOf(name);
  const other = others.find((one) => skeletonOf(one) === wanted);
  return other === undefined ? null : { kind: 'assistant', name: other };
};
