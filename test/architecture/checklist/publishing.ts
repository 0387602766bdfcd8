import { ordered, moves, type Row } from './row.ts';

const needs = 'policies, then a location: each refusal names its cause, and fixing it goes on';
const weight = 'calculated postage needs the weight, and not too much of it';
const elsewhere = 'another site needs its own policies, and a choice when there are several';
const unfinished = 'an unfinished seller setup is missing in the status, and refused until the person finishes it';
const inline = 'inline shipping works on the home site, and elsewhere only with policies named for the site';
const blocked = '%s after %j, live after %j';

/** Why a publish is refused, and what is refused without a code. */
export const publishing: Record<string, Row> = {
  'publish MISSING_PACKAGE_WEIGHT': { about: 'weight', proof: { publish: weight } },
  'publish PACKAGE_WEIGHT_TOO_HEAVY': { about: 'too heavy', proof: { publish: weight } },
  'publish MARKET_TOKEN_EXPIRED': {
    about: 'not connected',
    proof: { publish: 'not connected: MARKET_TOKEN_EXPIRED, until the person connects' },
  },
  'publish MARKET_TRANSIENT': {
    about: 'the marketplace is down',
    proof: { causes: 'the marketplace is down for a while: MARKET_TRANSIENT, then all is as before' },
  },
  'publish MISSING_POLICIES': {
    about: 'no policies',
    proof: { publish: [needs, '`fix` repairs what the last refusal named, and only that'] },
  },
  'publish POLICY_MARKETPLACE_MISMATCH': { about: 'of another site', proof: { publish: elsewhere } },
  'publish CONDITION_NOT_ALLOWED': { about: 'condition', proof: { publish: blocked } },
  'publish MISSING_LOCATION': { about: 'location', proof: { publish: needs } },
  'publish UNSUPPORTED_LISTING_MARKETPLACE': {
    about: 'no such site',
    proof: { publish: 'a site that is not supported cannot be published to' },
  },
  'publish TARGET_POLICIES_REQUIRED': { about: 'no policies there', proof: { publish: elsewhere } },
  'publish TEMPLATE_POLICY_MARKETPLACE_MISMATCH': {
    about: 'a template of another site',
    proof: { publish: 'a template that names a policy of another site' },
  },
  'publish POLICY_REPAIR_FAILED': { about: 'ordered only', proof: ordered },
  'publish SELLER_SETUP_REQUIRED': { about: 'not set up', proof: { publish: unfinished } },
  'publish INLINE_SHIPPING_OTHER_SITE': { about: 'inline shipping', proof: { publish: inline } },
  'publish TARGET_POLICIES_CHOOSE': { about: 'several', proof: { publish: elsewhere } },
  'publish MARKET_REFUSED': { about: 'a named reason', proof: { publish: blocked } },
  'refusal 3aea133c': { about: 'a sixth at a time', proof: { generate: 'five at a time' } },
  'refusal 668d067c': { about: 'editing what is live', proof: { transitions: moves } },
  'refusal 5a72c0a9': {
    about: 'deleting what was live',
    proof: { transitions: [moves, 'a relist is a new listing at the marketplace, and was live all the same'] },
  },
  'refusal 0c860d7b': {
    about: 'revising nothing',
    proof: {
      transitions: 'a live listing changes in the named fields only',
      conformance: 'an input that is not right is 400 and says why',
    },
  },
  'refusal b99d4124': {
    about: 'deleting from the marketplace',
    proof: { publish: 'other channels: connected by a link, published beside the marketplace, never deleted from it' },
  },
  'refusal 7c09cfaa': {
    about: 'a second subscription',
    proof: { billing: 'a checkout is offered to who has no plan, once; the person starts it, never the call' },
  },
  'refusal 19f0dc41': { about: "another person's user id", proof: { account: 'the account, and only the own one' } },
};
