import { notifyError } from '../../api/useCall.ts';
import { useLocation } from 'wouter';
import { getScreenAt } from '../../../../ipc/screens.ts';
import { addChosenPhotos, useAddPhotos } from '../../api/addPhotos.ts';
import { callCore } from '../../api/call.ts';
import { readNextReviewItem, readNextWeakItem } from '../../api/itemSelection.ts';
import { notifications } from '@mantine/notifications';
import { useItemCounts, useReadyItems } from '../../api/itemQueries.ts';
import { useAppState, usePauseAll, useSaveSettings } from '../../api/queries.ts';
import { useAllOfferedActions, type ActId } from '../../components/acts/offeredActs.tsx';
import { t } from '../../i18n.ts';
import { maxBatchListings, useBatchPublishRequest } from '../approvals/batch/useBatches.ts';
import { usePromptControls, usePendingApprovals } from '../approvals/usePrompts.ts';
import { contactSheetId } from '../items/arrange/ArrangeBar.tsx';

/** `id` is set if the name can change while the command is shown. */
export type FindCommand = {
  id?: string;
  name: string;
  about?: string;
  key?: string;
  publishes?: boolean;
  run: () => void;
};

/** Shows an error as a notification because the dialog has already closed. */
const notifyOnFailure = (doing: Promise<unknown>): void => void doing.catch(notifyError);

const openPhotoPicker = (folders: boolean, onPicked: (files: readonly File[]) => void): void => {
  const field = document.createElement('input');
  field.type = 'file';
  field.multiple = true;
  field.webkitdirectory = folders;
  if (!folders) field.accept = 'image/*,.heic,.heif,.hif,.avif,.tif,.tiff';
  field.onchange = () => {
    field.remove();
    if (field.files && field.files.length > 0) onPicked([...field.files]);
  };
  field.oncancel = () => field.remove();
  // A detached input might be garbage-collected before the person chooses a file.
  field.hidden = true;
  document.body.append(field);
  field.click();
};

const useItemCommands = (): FindCommand[] => {
  const [path, go] = useLocation();
  const { mutate: add } = useAddPhotos();
  const deferred = useItemCounts()?.deferred ?? 0;
  const openItem = (itemId: string): void => go(`/items/${encodeURIComponent(itemId)}`);
  const addPickedPhotos = (folders: boolean): void =>
    openPhotoPicker(folders, (files) => {
      go('/');
      add(() => addChosenPhotos(files));
    });
  const { id, openId } = getScreenAt(path);
  const itemId = id === 'items' ? openId : null;
  const openNextWeak = async (): Promise<void> => {
    const next = await readNextWeakItem('', itemId);
    if (next) openItem(next.itemId);
    else notifications.show({ message: t('items.noWeak') });
  };
  const openNextReview = async (): Promise<void> => {
    const next = await readNextReviewItem('', itemId);
    if (next) openItem(next.itemId);
  };
  return [
    { name: t('find.newItem'), run: () => addPickedPhotos(false) },
    { name: t('find.newItems'), run: () => addPickedPhotos(true) },
    { name: t('find.nextReview'), run: () => notifyOnFailure(openNextReview()) },
    { name: t('find.nextWeak'), key: 'W', run: () => notifyOnFailure(openNextWeak()) },
    ...(deferred > 0 ? [{ name: t('sheet.title'), run: () => openItem(contactSheetId) }] : []),
  ];
};

const usePublishCommands = (): FindCommand[] => {
  const publish = useBatchPublishRequest();
  const waiting = usePendingApprovals()[0];
  const { show, showBatch } = usePromptControls();
  const ready = useReadyItems('');
  const acts: FindCommand[] = [];
  const publishReadyItems = async (): Promise<void> => {
    const { ready: found } = await callCore('items.chosen', { itemIds: ready?.itemIds ?? [] });
    await publish.asking(found.map((item) => item.listingId).slice(0, maxBatchListings));
  };
  if (ready && ready.itemIds.length > 1)
    acts.push({
      name: t('find.publishAll', { count: ready.itemIds.length }),
      publishes: true,
      run: () => notifyOnFailure(publishReadyItems()),
    });
  if (waiting)
    acts.push({
      name: t('find.answer'),
      run: () => (waiting.kind === 'one' ? show(waiting.id) : showBatch(waiting.id)),
    });
  return acts;
};

const themes = [
  ['light', 'settings.light'],
  ['dark', 'settings.dark'],
  ['system', 'settings.asSystem'],
] as const;

/** The keys of the screens that offer these actions. */
const actKeys: Partial<Record<ActId, string>> = {
  publish: 'P',
  looksRight: '↵',
  editTitle: 'E',
  since: 'C',
  nextPhoto: '→',
  photoBefore: '←',
  next: 'J',
  before: 'K',
  discard: 'D',
  sku: 'G',
};

export const useFindCommands = (): FindCommand[] => {
  const [path] = useLocation();
  const state = useAppState().data;
  const pause = usePauseAll();
  const save = useSaveSettings();
  const others = themes.filter(([theme]) => theme !== state?.settings.theme);
  const paused = state?.paused ?? false;
  return [
    // The path is part of the id, because another open item offers other commands with the same names.
    ...useAllOfferedActions().map(({ act, ...offer }) => ({
      ...offer,
      id: `${path} ${offer.id}`,
      publishes: act === 'publish' || act === 'channels',
      ...(act in actKeys && { key: actKeys[act] }),
    })),
    ...usePublishCommands(),
    ...useItemCommands(),
    {
      name: paused ? t('app.line.resume') : t('settings.pause.all'),
      run: () => notifyOnFailure(pause.mutateAsync(!paused)),
    },
    ...others.map(([theme, key]) => ({
      name: t('find.theme', { name: t(key) }),
      run: () => notifyOnFailure(save.mutateAsync({ theme })),
    })),
  ];
};
