import { createMessage } from '../../../../src/i18n/message.ts';
import type { ItemView } from '../../../../src/core/storage/tables/itemRecord.ts';
import { createCoreAnswers } from '../askCore.ts';
import type { Answers, Fake } from '../fakeCompanion.ts';
import { fakeItems } from '../fakeData.ts';
import { copyItem } from '../fakeReadyItems.ts';
import { refuseCall } from '../fakeRefusal.ts';

/** A picture of one pixel. */
const onePixel = 'data:image/gif;base64,R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7';
const disk = { preparedFiles: 240, preparedBytes: 61_000_000, copies: 12, copiesBytes: 44_000_000 };
const arranged = { arrangeable: true, reviewReason: 'replacingPhotos' as const };

/** Calls about the list of items and single items. */
export const createItemCalls = (fake: Fake) => {
  const item = (itemId: string): ItemView =>
    fake.items.find((one) => one.itemId === itemId) ?? refuseCall('NOT_FOUND', 'This item is no longer here.');
  let repeats = window.scenario?.repeats ?? [];
  const core = createCoreAnswers(fake);
  const change = (itemId: string, changes: Partial<ItemView>) => {
    Object.assign(item(itemId), changes);
    return core['items.get']({ itemId });
  };
  return {
    'items.repeats': () => repeats,
    'items.settleRepeats': ({ repeatId }) => {
      repeats = repeats.filter((one) => one.repeatId !== repeatId);
      return { itemIds: ['fox'], skipped: 0, sentence: '6 items added' };
    },
    'items.add': () => {
      const added = window.scenario?.added;
      if (added?.repeats) repeats = [...repeats, added.repeats];
      return added ?? { itemIds: [], skipped: 1, sentence: '1 item added, 1 file skipped.' };
    },
    'items.addInto': ({ into }) => {
      if ('itemId' in into) {
        const { photos } = item(into.itemId);
        const [like] = photos;
        if (like) photos.push({ ...like, photoId: `${like.photoId}-${photos.length}`, name: 'sharper.jpg' });
        fake.changed('items');
        return { itemIds: [into.itemId], skipped: 0, sentence: '1 photo.' };
      }
      const like = item('laptop');
      const itemId = `of ${into.listingId}`;
      fake.items = [
        {
          ...like,
          ...copyItem(like, 1),
          itemId,
          listingId: into.listingId,
          step: 'arranging',
          stop: null,
          ...arranged,
        },
        ...fake.items,
      ];
      fake.changed('items');
      return { itemIds: [itemId], skipped: 0, sentence: '1 photo.' };
    },
    'items.changePhotos': ({ itemId }) => change(itemId, { step: 'arranging', stop: null, ...arranged }),
    'items.addSamples': () => {
      fake.items = fakeItems();
      fake.changed('items');
      return { itemIds: ['fox'], skipped: 0, sentence: '9 items added.' };
    },
    'items.resume': ({ itemId }) => change(itemId, { stop: null }),
    'items.begin': ({ itemIds }) => {
      const begun = fake.items.filter(
        ({ itemId, reviewReason }) => reviewReason !== null && (itemIds?.includes(itemId) ?? true),
      );
      for (const one of begun) Object.assign(one, { reviewReason: null, step: 'draft' });
      fake.changed('items');
      return begun.length;
    },
    'photos.avatar': (source) =>
      'path' in source && source.path.endsWith('.txt')
        ? refuseCall('AVATAR_UNREADABLE', 'This file is no picture.', {
            says: createMessage('problems.AVATAR_UNREADABLE'),
          })
        : onePixel,
    'photos.diskUse': () => disk,
    'photos.cleanUp': () => ({ ...disk, preparedFiles: 40, preparedBytes: 9_000_000 }),
  } satisfies Partial<Answers>;
};
