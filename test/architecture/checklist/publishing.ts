import { ordered, moves, type Row } from './row.ts';

const needs =
  'publishing without policies, then without a location, is refused with the cause, and succeeds after each fix';
const weight = 'calculated postage requires a package weight within the limit';
const elsewhere = 'publishing to another site requires its own policies, and a choice if there are several';
const unfinished =
  'an unfinished seller setup is reported as missing in the status, and publishing is refused until the person finishes it';
const inline = 'inline shipping works on the home site, and on another site only with that site’s policies';
const blocked = 'a publish is refused with %s after %j, and succeeds after %j';

/** Why a publish is refused, and what is refused without a code. */
export const publishing: Record<string, Row> = {
  'publish MISSING_PACKAGE_WEIGHT': { about: 'weight', proof: { publish: weight } },
  'publish PACKAGE_WEIGHT_TOO_HEAVY': { about: 'too heavy', proof: { publish: weight } },
  'publish MARKET_TOKEN_EXPIRED': {
    about: 'not connected',
    proof: {
      publish:
        'publishing without a marketplace connection is refused with MARKET_TOKEN_EXPIRED until the person connects',
    },
  },
  'publish MARKET_TRANSIENT': {
    about: 'the marketplace is down',
    proof: {
      causes: 'calls are refused with MARKET_TRANSIENT while the marketplace is down, and work again afterwards',
    },
  },
  'publish MISSING_POLICIES': {
    about: 'no policies',
    proof: { publish: [needs, '`fix` repairs only the cause that the last refusal named'] },
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
    proof: { publish: 'a template that names another site’s policy is invalid, and publishing with it is refused' },
  },
  'publish POLICY_REPAIR_FAILED': { about: 'ordered only', proof: ordered },
  'publish SELLER_SETUP_REQUIRED': { about: 'not set up', proof: { publish: unfinished } },
  'publish INLINE_SHIPPING_OTHER_SITE': { about: 'inline shipping', proof: { publish: inline } },
  'publish TARGET_POLICIES_CHOOSE': { about: 'several', proof: { publish: elsewhere } },
  'publish MARKET_REFUSED': { about: 'a named reason', proof: { publish: blocked } },
  'refusal 3aea133c': { about: 'a sixth at a time', proof: { generate: 'five listings are generated at a time' } },
  'refusal 668d067c': { about: 'editing what is live', proof: { transitions: moves } },
  'refusal 5a72c0a9': {
    about: 'deleting what was live',
    proof: {
      transitions: [moves, 'a relisted listing is a new listing at the marketplace, and still counts as formerly live'],
    },
  },
  'refusal 0c860d7b': {
    about: 'revising nothing',
    proof: {
      transitions: 'revising a live listing changes only the named fields',
      conformance: 'an invalid input is refused with 400 and a reason',
    },
  },
  'refusal b99d4124': {
    about: 'deleting from the marketplace',
    proof: {
      publish:
        'another channel is connected by a link, published beside the marketplace, and its listings cannot be deleted',
    },
  },
  'refusal 7c09cfaa': {
    about: 'a second subscription',
    proof: { billing: 'a checkout is offered once to a person without a plan, and only the person can start it' },
  },
  'refusal 19f0dc41': {
    about: "another person's user id",
    proof: { account: 'an assistant can read and change its own account only' },
  },
};
