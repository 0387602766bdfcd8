import * as z from 'zod';

/** Control characters, line separators, half characters and marks that reverse the direction of text cannot be printed. */
const unprintable = String.raw`\p{Cs}\p{Zl}\p{Zp}\u202a-\u202e\u2066-\u2069`;

const toValueOrNull = (text: string): string | null => (text === '' ? null : text);

const createTextShape = (maxChars: number, allowed: RegExp) =>
  z.string().trim().max(maxChars).regex(allowed).transform(toValueOrNull).nullable();

const printableText = new RegExp(`^[^\\p{Cc}${unprintable}]*$`, 'u');

const createLineShape = (maxChars: number) => createTextShape(maxChars, printableText);

/** An amount in minor units of an ISO 4217 currency, such as cents. */
export const moneyShape = z.strictObject({
  minor: z.int().min(0).max(1_000_000_000_000),
  currency: z.string().regex(/^[A-Z]{3}$/),
});
export type Money = z.infer<typeof moneyShape>;

/** Null means unknown. When two rows are merged, null values are ignored. */
const packageShape = z.strictObject({
  weightG: z.int().min(1).max(1_000_000).nullable().default(null),
  lengthMm: z.int().min(1).max(100_000).nullable().default(null),
  widthMm: z.int().min(1).max(100_000).nullable().default(null),
  heightMm: z.int().min(1).max(100_000).nullable().default(null),
});

const tagShape = z.string().trim().min(1).max(50).regex(printableText);

const hasTag = (tags: readonly string[], tag: string): boolean =>
  tags.some((other) => other.toLowerCase() === tag.toLowerCase());

/** Returns the tags without repetitions. Upper and lower case count as the same tag. */
export const uniteTags = (...lists: readonly (readonly string[])[]): string[] =>
  lists.flat().reduce<string[]>((tags, tag) => (hasTag(tags, tag) ? tags : [...tags, tag]), []);

export const maxTags = 20;

/**
 * What the seller knows about an item and the service does not. These values are private: they are in no request to the
 * service and in no answer to an assistant. The stored row, the view and the changes of the window's calls have this
 * shape.
 */
export const shelfFields = z.strictObject({
  /** The number on the item or its label. */
  sku: createLineShape(50),
  /** Where the item is, such as the box "A04". */
  place: createLineShape(50),
  /** What the person paid for one piece. */
  cost: moneyShape.nullable(),
  /** The day of the purchase as an ISO 8601 date. */
  boughtAt: z.iso.date().nullable(),
  boughtFrom: createLineShape(100),
  /** The packed item. */
  package: packageShape.nullable(),
  tags: z
    .array(tagShape)
    .transform((tags) => uniteTags(tags))
    .pipe(z.array(z.string()).max(maxTags)),
  note: createTextShape(2_000, new RegExp(String.raw`^(?:[^\p{Cc}${unprintable}]|[\n\t])*$`, 'u')),
  /** What the person paid to send one sale, and for anything else about it. */
  postagePaid: moneyShape.nullable(),
  otherCosts: moneyShape.nullable(),
});
export type ShelfFields = z.infer<typeof shelfFields>;

/** The changes of a call: null or an empty text clears a field. */
export const shelfChanges = shelfFields.partial();
export type ShelfChanges = z.infer<typeof shelfChanges>;

export const emptyShelf: ShelfFields = {
  sku: null,
  place: null,
  cost: null,
  boughtAt: null,
  boughtFrom: null,
  package: null,
  tags: [],
  note: null,
  postagePaid: null,
  otherCosts: null,
};

/**
 * The fields that the searches read as words. Assistants with the right can search them, so the fields of the purchase
 * are left out.
 */
export const buildShelfWords = ({ sku, place, note, tags }: ShelfFields): string =>
  [sku, place, note, ...tags].filter((text) => text !== null).join(' ');

/** Returns the form in which SKUs and places are compared. */
export const toShelfKey = (text: string): string => text.normalize('NFC').toLowerCase();

/** One counter, `{n}`, `{n:4}` or `{letter}`, among text, `{place}`, `{YY}` and `{MM}`. */
export const skuPatternShape = z
  .string()
  .trim()
  .max(50)
  .regex(printableText)
  .regex(/^(?:[^{}]|\{(?:place|YY|MM)\})*\{(?:n|n:[1-9]|letter)\}(?:[^{}]|\{(?:place|YY|MM)\})*$/u);

/**
 * The parts of a folder's name: `{title}`, and at least one of `{place}`, `{sku}` and `{cost}`, each once and separated
 * by text. An empty pattern leaves the recognition to the companion.
 */
export const folderPatternShape = z
  .string()
  .trim()
  .max(200)
  .refine((pattern) => {
    const names = [...pattern.matchAll(/\{([^{}]*)\}/g)].map(([, name = '']) => name);
    const isKnown = names.every((name) => ['title', 'place', 'sku', 'cost'].includes(name));
    return (
      pattern === '' ||
      (isKnown &&
        names.length > 1 &&
        names.includes('title') &&
        new Set(names).size === names.length &&
        !/\}\{/.test(pattern) &&
        !/[{}]/.test(pattern.replace(/\{[^{}]*\}/g, '')))
    );
  });
