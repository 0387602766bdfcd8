import { standing as standingShape, type Standing } from '../../contract/index.ts';
import type { CoreParts } from './foundation.ts';
import type { Perform } from '../base/request.ts';
import type { openPhotos } from './openPhotos.ts';
import type { PhotoUploads } from '../photos/photoUploads.ts';
import { problem } from '../base/problem.ts';
import type { ItemsContext } from '../items/context.ts';
import { createItems } from '../items/items.ts';
import { photoCap } from '../items/photoCap.ts';
import { createPlaces, type Places } from '../base/semaphore.ts';

type More = {
  perform: Perform;
  photos: ReturnType<typeof openPhotos>;
  photoUploads: PhotoUploads;
  /** The places of those that are being written; shared with what assistants ask for themselves. */
  writingPlaces: Places;
  extrasApproval: ItemsContext['extrasApproval'];
  /** The standing as it was read last. */
  standing: () => Standing | null;
};

const sentAtOnce = 3;

/** The items on the core's parts. */
export const openItems = (parts: CoreParts, { photos, standing, ...more }: More) =>
  createItems({
    ...parts,
    ...more,
    table: parts.itemsTable,
    account: parts.connection.account,
    workers: photos.workers,
    settings: parts.settings.settings,
    preparedDir: photos.preparedDir,
    sendingPlaces: createPlaces(sentAtOnce),
    standing: async (signal) => {
      const by = { kind: 'person' } as const;
      const outcome = await more.perform({ by, unattended: true, route: 'readStanding', input: {}, signal });
      if (outcome.state !== 'done') throw problem('STANDING_UNKNOWN');
      return standingShape.parse(outcome.answer);
    },
    photoCap: () => photoCap(standing()),
    touched: () => parts.changed('items'),
  });
