import { useQueries, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { findListingCurrency } from '../../../../../contract/index.ts';
import { readServiceAnswer, getErrorSentence, type Listing } from '../../../api/call.ts';
import { parseCentsInput } from '../../../components/text/format.ts';
import { formatCondition } from '../../../components/text/formatCondition.ts';
import {
  parseComparableOffers,
  createComparisonQuery,
  createCompsQuery,
  computeMedianPrice,
} from '../../items/review/compStatistics.ts';
import { t } from '../../../i18n.ts';
import { type WeightUnits } from '../../../../../i18n/weights.ts';
import { parseWeight } from '../../../components/text/packedWeight.ts';
import { findQuantityProblem } from '../../items/review/fields/fieldProblems.ts';
import type { BulkField, BulkRule, BulkTarget } from './bulkChanges.ts';
import { parsePriceRule, type PriceEnding, type PriceMethod } from './priceRules.ts';

export const textPlacements = ['end', 'start', 'replace'] as const;
export type TextPlacement = (typeof textPlacements)[number];

/** Each field uses only some of these inputs. */
export type BulkDraft = {
  field: BulkField;
  how: PriceMethod;
  typed: string;
  ending: PriceEnding;
  /** The quantity, the weight, the SKU or the value of an item specific. */
  value: string;
  name: string;
  textHow: TextPlacement;
  text: string;
  by: string;
  condition: string;
  category: { categoryId: string; name: string } | null;
  offers: boolean | null;
  accept: string;
  decline: string;
};

export const emptyBulkDraft: BulkDraft = {
  field: 'price',
  how: 'percent',
  typed: '',
  ending: '',
  value: '',
  name: '',
  textHow: 'end',
  text: '',
  by: '',
  condition: '',
  category: null,
  offers: null,
  accept: '',
  decline: '',
};

/** `medians` has an entry for each listing, and `accepted` has an entry for each category. */
export type RuleLookups = {
  medians: ReadonlyMap<string, number | null>;
  accepted: ReadonlyMap<string, readonly string[]>;
  site: string | null;
  longest: number | null;
  units: WeightUnits;
};

/** Returns hundredths of a percent; null if the text is empty, undefined if it is invalid. */
const parsePercent = (text: string): number | null | undefined => {
  if (text.trim() === '') return null;
  const read = parseCentsInput(text);
  return read !== null && read > 0 && read <= 10_000 ? read : undefined;
};

export const findOfferProblem = (name: 'accept' | 'decline', { accept, decline }: BulkDraft): string | null => {
  const [most, least] = [parsePercent(accept), parsePercent(decline)];
  if ((name === 'accept' ? most : least) === undefined) return t('listings.bulk.wrongPercent');
  return name === 'decline' && most && least && least >= most ? t('review.offers.declineBelow') : null;
};

const toOfferRule = (draft: BulkDraft): BulkRule | null => {
  const { offers, accept, decline } = draft;
  if (offers === null) return null;
  if (!offers) return { field: 'bestOffer', enabled: false, acceptPercent: null, declinePercent: null };
  if (findOfferProblem('accept', draft) !== null || findOfferProblem('decline', draft) !== null) return null;
  const [acceptPercent = null, declinePercent = null] = [parsePercent(accept), parsePercent(decline)];
  return { field: 'bestOffer', enabled: true, acceptPercent, declinePercent };
};

export const toBulkRule = (
  draft: BulkDraft,
  { medians, accepted, site, longest, units }: RuleLookups,
): BulkRule | null => {
  const { field, value } = draft;
  switch (field) {
    case 'price': {
      const rule = parsePriceRule(draft.how, draft.typed, draft.ending);
      return rule && { field, rule, medians };
    }
    case 'quantity':
      return findQuantityProblem(value) === null ? { field, value: Number(value) } : null;
    case 'packageWeightGrams': {
      const grams = parseWeight(value, units);
      return grams === null ? null : { field, value: grams };
    }
    case 'condition':
      return draft.condition === '' ? null : { field, value: draft.condition, accepted };
    case 'categoryId':
      return draft.category && { field, value: draft.category.categoryId, name: draft.category.name, site };
    case 'itemSpecifics':
      return draft.name.trim() === '' ? null : { field, name: draft.name.trim(), value: value.trim() };
    case 'sku':
      return value.trim() === '' ? null : { field, value: value.trim() };
    case 'bestOffer':
      return toOfferRule(draft);
    default: {
      const change = { how: draft.textHow, text: draft.text, by: draft.by };
      if (draft.text.trim() === '') return null;
      return field === 'title' ? { field, longest, ...change } : { field, ...change };
    }
  }
};

type ConditionChoices = {
  choices: { value: string; label: string }[];
  accepted: ReadonlyMap<string, readonly string[]>;
};

/** Reads only if `wanted`, because the marketplace limits taxonomy requests per day. */
export const useCategoryConditions = (listings: readonly Listing[], wanted: boolean): ConditionChoices => {
  const categories = new Map<string, string | null>();
  for (const { categoryId, marketplaceId } of wanted ? listings : [])
    if (categoryId) categories.set(categoryId, marketplaceId ?? null);
  const answers = useQueries({
    queries: [...categories].map(([categoryId, marketplaceId]) => ({
      queryKey: ['taxonomy', 'conditions', categoryId, marketplaceId],
      queryFn: () =>
        readServiceAnswer('listCategoryConditions', {
          query: { categoryId, marketplaceId: marketplaceId ?? undefined },
        }),
    })),
  });
  const labels = new Map<string, string>();
  const accepted = new Map<string, readonly string[]>();
  [...categories.keys()].forEach((categoryId, at) => {
    const conditions = answers[at]?.data?.conditions ?? [];
    for (const { condition, name } of conditions) labels.set(condition, formatCondition(condition, name));
    if (conditions.length > 0)
      accepted.set(
        categoryId,
        conditions.map(({ condition }) => condition),
      );
  });
  return { choices: [...labels].map(([value, label]) => ({ value, label })), accepted };
};

/** Looks up one listing at a time, because the marketplace limits these calls. */
export const useMedianPrices = () => {
  const client = useQueryClient();
  const [medians, setMedians] = useState<ReadonlyMap<string, number | null>>(new Map());
  const [state, setState] = useState<{ busy: boolean; problem: string | null }>({ busy: false, problem: null });
  const lookUpMedians = async (targets: readonly BulkTarget[]): Promise<void> => {
    setState({ busy: true, problem: null });
    try {
      for (const { listing } of targets) {
        if (listing === null || medians.has(listing.listingId)) continue;
        const found = parseComparableOffers(
          await client.fetchQuery({ ...createCompsQuery(createComparisonQuery(listing)), staleTime: Infinity }),
        );
        const median = found.currency === findListingCurrency(listing) ? computeMedianPrice(found.offers) : null;
        setMedians((before) => new Map(before).set(listing.listingId, median));
      }
      setState({ busy: false, problem: null });
    } catch (error) {
      setState({ busy: false, problem: getErrorSentence(error) });
    }
  };
  return { medians, ...state, lookUp: (targets: readonly BulkTarget[]) => void lookUpMedians(targets) };
};
export type Medians = ReturnType<typeof useMedianPrices>;
