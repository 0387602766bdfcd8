import type { ConditionList } from './conditions.ts';
import type { Localised } from './languages.ts';
import type { SpecificKey } from './specifics.ts';

/** The parents of the leaf categories. */
export type GroupId = 'media' | 'electronics' | 'fashion' | 'home' | 'leisure' | 'collecting' | 'other';

/** One leaf of the taxonomy: where an item can be listed. */
export type Category = {
  id: string;
  group: GroupId;
  /** The category as its page is headed, in the plural. */
  names: Localised;
  /** One item of it, as a title calls it. */
  nouns: Localised;
  /** Words, in several languages, by which text on an item or about it points here; `*` marks a weak one. */
  keywords: readonly string[];
  conditions: ConditionList;
  required: readonly SpecificKey[];
  recommended: readonly SpecificKey[];
  /** Whether postage cannot be quoted without the packed weight. */
  needsWeight: boolean;
  typicalWeightG: number;
  /** What new items of the category are offered for, in US cents. */
  newPriceCents: readonly [from: number, to: number];
};

/** Splits the compact keyword text of the tables. */
export const words = (text: string): readonly string[] =>
  text
    .split(',')
    .map((word) => word.trim())
    .filter((word) => word !== '');
