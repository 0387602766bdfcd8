import fc from 'fast-check';
import { sampleSize } from '../sample.ts';

/** Names with a meaning for the companion, for JavaScript or for readers of a prompt. */
const oddNames = [
  'Price',
  'Title',
  'Quantity',
  'Condition',
  'Site',
  'Fee',
  '__proto__',
  'constructor',
  'toString',
  'hasOwnProperty',
  'length',
  '',
  ' ',
  '.',
  'bestOffer.enabled',
  'price.',
  'itemSpecifics.Title',
  'título',
  'цена',
  '\u202eecirp',
  '\u200b',
  '0',
];
const knownNames = [
  'title',
  'description',
  'price',
  'condition',
  'conditionDescription',
  'itemSpecifics',
  'quantity',
  'categoryId',
  'packageWeightGrams',
  'sku',
  'format',
  'bestOffer',
  'marketplaceId',
  'enabled',
  'autoAcceptCents',
  'autoDelistDefault',
  'name',
  'message',
  'location',
];
const name = fc.oneof(
  { weight: 3, arbitrary: fc.constantFrom(...knownNames) },
  { weight: 3, arbitrary: fc.constantFrom(...oddNames) },
  fc.string({ unit: 'grapheme', maxLength: 8 }),
);
const oddTexts = [
  '',
  'yes',
  'no',
  'free',
  'USED_GOOD',
  'removes',
  'is removed',
  'MKT_DE',
  'null',
  '{}',
  '0',
  '\u202e',
  '<b>',
];
const leaf = fc.oneof(
  fc.constantFrom<unknown>(...oddTexts),
  fc.string({ unit: 'grapheme', maxLength: 12 }),
  fc.integer({ min: -1_000, max: 1_000_000 }),
  fc.double({ noNaN: true, noDefaultInfinity: true }),
  fc.boolean(),
  fc.constant(null),
  fc.constantFrom<unknown>({}, [], [null], [{}], [1, 'two', { three: 3 }]),
);

/** An object with a limited number of fields; like in JSON, a field may be called `__proto__`. */
const createRecordArbitrary = (value: fc.Arbitrary<unknown>, most: number): fc.Arbitrary<Record<string, unknown>> =>
  fc.array(fc.tuple(name, value), { maxLength: most }).map((entries) => Object.fromEntries(entries));

const nested = fc.oneof(
  { weight: 4, arbitrary: leaf },
  createRecordArbitrary(fc.oneof({ weight: 3, arbitrary: leaf }, createRecordArbitrary(leaf, 2)), 3),
);

/** Any body of a request, or any record of the service. */
export const createOddRecord = (most = 5): fc.Arbitrary<Record<string, unknown>> => createRecordArbitrary(nested, most);

const createOddSet = <T>(value: fc.Arbitrary<T>): fc.Arbitrary<T | null> => fc.option(value, { freq: 4 });
const text = fc.oneof(fc.constantFrom(...oddTexts), fc.string({ unit: 'grapheme', maxLength: 20 }));

/** Any listing that the service may return, with additional fields. */
export const createOddListing = (status: string): fc.Arbitrary<Record<string, unknown>> =>
  fc
    .tuple(
      createOddRecord(3),
      fc.record(
        {
          title: createOddSet(text),
          description: createOddSet(text),
          price: createOddSet(fc.integer({ min: 0, max: 1_000_000 })),
          quantity: createOddSet(fc.integer({ min: 1, max: 99 })),
          condition: createOddSet(fc.constantFrom('USED_GOOD', 'NEW', 'removes', 'true')),
          conditionDescription: createOddSet(text),
          format: createOddSet(fc.constantFrom('AUCTION', 'FIXED_PRICE', 'free')),
          packageWeightGrams: createOddSet(fc.integer({ min: 1, max: 5_000 })),
          itemSpecifics: createOddSet(
            fc.array(fc.tuple(name, text), { maxLength: 4 }).map((all) => Object.fromEntries(all)),
          ),
          bestOffer: createOddSet(
            fc.record({ enabled: fc.boolean(), autoAcceptCents: fc.nat(9_999) }, { requiredKeys: [] }),
          ),
        },
        { requiredKeys: [] },
      ),
      fc.constantFrom('MKT_US', 'MKT_DE'),
    )
    .map(([more, own, marketplaceId]) =>
      Object.fromEntries([
        ...Object.entries(more).filter(([field]) => !knownNames.includes(field)),
        ...Object.entries(own),
        ['marketplaceId', marketplaceId],
        ['listingId', 'lst_1'],
        ['status', status],
      ]),
    );

/** Returns the number of runs for properties of approvals: `APPROVAL_RUNS`, or fewer unless all matrices run whole. */
export const getApprovalRuns = (whole: number): number =>
  Number(process.env['APPROVAL_RUNS'] ?? sampleSize(whole, Math.ceil(whole / 4)));
/** Returns the time limit in ms of a test with this many runs. */
export const getTimeLimit = (runs: number, msEach: number): number => 60_000 + runs * msEach;
