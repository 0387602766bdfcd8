import { skipToken, useQuery } from '@tanstack/react-query';
import * as z from 'zod';
import { read } from '../../../../api/call.ts';
import type { Listing } from '../../../../api/types.ts';

/** The interface leaves open what a category says of itself; what is known is read here, anything else is nothing. */
const names = z.array(z.string()).catch([]);
const category = z.looseObject({
  categoryId: z.string(),
  path: names,
  requiredSpecifics: names,
  recommendedSpecifics: names,
});

/** The names of the specifics that a category needs, and of those that it recommends. */
export type CategoryFacts = { required: readonly string[]; recommended: readonly string[] };
export const noFacts: CategoryFacts = { required: [], recommended: [] };

/** The groups that a category is in, down to itself; empty where the service does not say. */
export const pathOf = (value: unknown): readonly string[] => {
  const parsed = category.safeParse(value);
  return parsed.success ? parsed.data.path : [];
};

/** What the category of a listing asks for; taxonomy has a daily budget, so an answer is kept. */
export const useCategoryFacts = ({ categoryId, marketplaceId }: Listing): CategoryFacts => {
  const { data } = useQuery({
    queryKey: ['taxonomy', 'category', categoryId, marketplaceId],
    queryFn: categoryId
      ? () => read('searchCategories', { query: { categoryId, marketplaceId: marketplaceId ?? undefined } })
      : skipToken,
    select: ({ categories }) => {
      const own = category.safeParse(categories.find((one) => one.categoryId === categoryId));
      return own.success
        ? { required: own.data.requiredSpecifics, recommended: own.data.recommendedSpecifics }
        : noFacts;
    },
  });
  return data ?? noFacts;
};
