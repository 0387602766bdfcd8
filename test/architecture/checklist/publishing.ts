import { ordered, moves, type Row } from './row.ts';

const needs = 'publishing is refused until policies and a location are set up';
const weight = 'publishing with calculated postage requires a package weight within the limit';
const elsewhere = 'publishing to another site requires policies of that site';
const unfinished = 'publishing is refused until the person finishes the seller setup';
const inline = 'inline shipping on another site requires the policies of that site';
const blocked = 'publishing is refused with %s for %j but accepted for %j';

/** Publish refusals, with and without a code. */
export const publishing: Record<string, Row> = {
  'publish MISSING_PACKAGE_WEIGHT': { about: 'weight', proof: { publish: weight } },
  'publish PACKAGE_WEIGHT_TOO_HEAVY': { about: 'too heavy', proof: { publish: weight } },
  'publish MARKET_TOKEN_EXPIRED': {
    about: 'not connected',
    proof: {
      publish: 'publishing without a marketplace connection is refused with MARKET_TOKEN_EXPIRED',
    },
  },
  'publish MARKET_TRANSIENT': {
    about: 'the marketplace is down',
    proof: {
      causes: 'marketplace calls are refused with MARKET_TRANSIENT only while the marketplace is down',
    },
  },
  'publish MISSING_POLICIES': {
    about: 'no policies',
    proof: { publish: [needs, 'a publish with `fix` repairs only the cause of the last refusal'] },
  },
  'publish POLICY_MARKETPLACE_MISMATCH': { about: 'of another site', proof: { publish: elsewhere } },
  'publish CONDITION_NOT_ALLOWED': { about: 'condition', proof: { publish: blocked } },
  'publish MISSING_LOCATION': { about: 'location', proof: { publish: needs } },
  'publish UNSUPPORTED_LISTING_MARKETPLACE': {
    about: 'no such site',
    proof: { publish: 'publishing to an unsupported site is refused' },
  },
  'publish TARGET_POLICIES_REQUIRED': { about: 'no policies there', proof: { publish: elsewhere } },
  'publish TEMPLATE_POLICY_MARKETPLACE_MISMATCH': {
    about: 'a template of another site',
    proof: { publish: 'publishing is refused if the template names a policy of another site' },
  },
  'publish POLICY_REPAIR_FAILED': { about: 'ordered only', proof: ordered },
  'publish SELLER_SETUP_REQUIRED': { about: 'not set up', proof: { publish: unfinished } },
  'publish INLINE_SHIPPING_OTHER_SITE': { about: 'inline shipping', proof: { publish: inline } },
  'publish TARGET_POLICIES_CHOOSE': { about: 'several', proof: { publish: elsewhere } },
  'publish MARKET_REFUSED': { about: 'a named reason', proof: { publish: blocked } },
  'refusal 3aea133c': {
    about: 'a sixth at a time',
    proof: { generate: 'at most five listings are generated at a time' },
  },
  'refusal 668d067c': { about: 'editing what is live', proof: { transitions: moves } },
  'refusal 5a72c0a9': {
    about: 'deleting what was live',
    proof: {
      transitions: [...moves, 'a relisted listing gets a new marketplace id and cannot be deleted'],
    },
  },
  'refusal 0c860d7b': {
    about: 'revising nothing',
    proof: {
      transitions: 'a live listing can be revised only with valid values',
      conformance: 'an invalid input is refused with 400 and an error message',
    },
  },
  'refusal b99d4124': {
    about: 'deleting from the marketplace',
    proof: {
      publish: 'a listing can be published to the marketplace and another channel together',
    },
  },
  'refusal 7c09cfaa': {
    about: 'a second subscription',
    proof: { billing: 'a checkout changes the plan only after the person completes the payment' },
  },
  'refusal 19f0dc41': {
    about: "another person's user id",
    proof: { account: 'an assistant can read and change only the account of its own person' },
  },
};
