import { standing as standingShape, type Standing } from '../../contract/index.ts';
import type { CoreServices } from './coreServices.ts';
import { person, type Perform } from '../base/request.ts';
import type { CompanionThrottle } from './openThrottle.ts';
import type { PhotosOfCompanion } from './openPhotos.ts';
import type { ApprovalParts } from './openApprovals.ts';
import type { StandingMemory } from './keptAnswers.ts';
import { problem } from '../base/problem.ts';
import { createItems, type Items } from '../items/items.ts';
import { photoCap } from '../items/choosePhotos.ts';
import { createSemaphore } from '../base/semaphore.ts';

type More = {
  perform: Perform;
  photos: PhotosOfCompanion;
  approvalParts: Pick<ApprovalParts, 'photoUploads' | 'extras'>;
  throttle: Pick<CompanionThrottle, 'places'>;
  standing: StandingMemory;
};

const sentAtOnce = 3;

/** The items on the core's parts. */
export const openItems = (parts: CoreServices, { perform, photos, approvalParts, throttle, standing }: More): Items => {
  const readStanding = async (signal: AbortSignal): Promise<Standing> => {
    const outcome = await perform({ by: person, unattended: true, route: 'readStanding', input: {}, signal });
    if (outcome.state !== 'done') throw problem('STANDING_UNKNOWN');
    return standingShape.parse(outcome.answer);
  };
  return createItems({
    ...parts,
    perform,
    photoUploads: approvalParts.photoUploads,
    writingPlaces: throttle.places,
    extrasApproval: (by) => approvalParts.extras.of(by)?.extrasApprovalId ?? null,
    table: parts.itemsTable,
    account: parts.connection.account,
    workers: photos.workers,
    settings: parts.settings.settings,
    preparedDir: photos.preparedDir,
    sendingPlaces: createSemaphore(sentAtOnce),
    standing: readStanding,
    photoCap: () => photoCap(standing.last()),
    photoCapNow: async (signal) => photoCap(standing.recent() ?? (await readStanding(signal))),
    touched: () => parts.changed('items'),
  });
};
