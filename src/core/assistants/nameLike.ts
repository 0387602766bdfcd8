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

/** What stands for the person or for this program in one of our languages: nobody else may go by it unnoticed. */
const reserved: readonly string[] = [
  ...['You', 'The person', 'Sie', 'Du', 'Vous', 'Toi', 'Te', 'Tu', 'Lei', 'Usted', 'Tú', 'U', 'Jij', 'Ty', 'Ciebie'],
  ...['Listing Companion', 'The companion', 'Companion'],
];

/** The first of these names, or of those that are reserved, that is easily taken for this one; null when there is none. */
export const nameLike = (name: string, others: readonly string[]): string | null => {
  const wanted = skeletonOf(name);
  return [...others, ...reserved].find((other) => skeletonOf(other) === wanted) ?? null;
};

/** Whether a name has anything to see. */
export const isVisible = (name: string): boolean =>
  /[\p{L}\p{N}\p{S}]/u.test(name.replace(/[\p{C}\p{Default_Ignorable_Code_Point}\p{M}\u2800]/gu, ''));
