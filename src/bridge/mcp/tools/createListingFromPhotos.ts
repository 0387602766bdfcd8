import * as z from 'zod';
import { quantity } from '../../../contract/index.ts';
import { Problem } from '../../../core/base/problem.ts';
import { marketplaceId } from '../fields.ts';
import { itemAnswer, itemOutput } from '../itemShape.ts';
import { hints, tool } from '../tool.ts';

const path = z.string().min(1).max(4_096);

export const createListingFromPhotos = tool({
  name: 'create_listing_from_photos',
  title: 'Create a listing from photos',
  description:
    'Turn photos on this machine into a listing to review: they are prepared, uploaded, and the listing is written, which uses one listing of the allowance. Publishes nothing. The photos must be inside a folder that the person has allowed. Answers at once with an itemId.',
  input: z.object({
    folder: path.optional().describe('The absolute path of a folder with the photos of one item.'),
    photos: z.array(path).min(1).max(24).optional().describe('Absolute paths of photos, the main one first.'),
    note: z.string().max(20_000).optional().describe('What the person says about the item; it helps the writing.'),
    quantity: quantity.optional(),
    marketplaceId,
    listingLanguage: z.string().min(2).max(20).optional().describe('The language to write in, such as en or de.'),
  }),
  output: itemOutput,
  hints: hints.adds,
  run: async (input, { api, by }) => {
    if ((input.folder === undefined) === (input.photos === undefined))
      throw new Problem('INVALID_REQUEST', 'Name either a folder or photos.', { field: 'folder' });
    const { item, left } = await api.addItem(by, input);
    return itemAnswer(item, left);
  },
  summarize: ({ words }) => `${words}.`,
});
