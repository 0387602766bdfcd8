import { useLocation } from 'wouter';
import { screenAt } from '../../../../ipc/screens.ts';
import { addChosenPhotos, useAddPhotos } from '../../api/addPhotos.ts';
import { notifications } from '@mantine/notifications';
import { call, sentenceOf } from '../../api/call.ts';
import { itemFilter, useItemCounts, useReadyItems } from '../../api/itemQueries.ts';
import { useAppState, usePause, useSaveSettings } from '../../api/queries.ts';
import { useOfferedActs } from '../../components/acts/offeredActs.tsx';
import { t } from '../../i18n.ts';
import { mostAtOnce, usePublishTogether } from '../approvals/batch/useBatches.ts';
import { usePrompts, useWaitingQuestions } from '../approvals/useQuestions.ts';
import { sheetId } from '../items/arrange/ArrangeBar.tsx';

/** A command that is available from anywhere. It has an `id` if its name may change while it is shown. */
export type Act = { id?: string; name: string; about?: string; run: () => void };

/** Shows failures as a notification because the dialog has already closed. */
const inBackground = (doing: Promise<unknown>): void =>
  void doing.catch((error: unknown) => notifications.show({ message: sentenceOf(error), color: 'amber' }));

/** Opens the file dialog of the system, like the file fields of the items screen. */
const pickPhotos = (folders: boolean, onPicked: (files: readonly File[]) => void): void => {
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
  // A detached input may be garbage-collected before the person chooses.
  field.hidden = true;
  document.body.append(field);
  field.click();
};

const useItemActs = (): Act[] => {
  const [path, go] = useLocation();
  const { mutate: add } = useAddPhotos();
  const guessed = useItemCounts()?.guessed ?? 0;
  const openItem = (itemId: string): void => go(`/items/${encodeURIComponent(itemId)}`);
  const pick = (folders: boolean): void =>
    pickPhotos(folders, (files) => {
      go('/');
      add(() => addChosenPhotos(files));
    });
  const review = async (): Promise<void> => {
    const { id, openId } = screenAt(path);
    const itemId = id === 'items' ? openId : null;
    const next = await call('items.beside', { ...itemFilter(''), itemId, way: 'review' });
    if (next) openItem(next.itemId);
  };
  return [
    { name: t('find.newItem'), run: () => pick(false) },
    { name: t('find.newItems'), run: () => pick(true) },
    { name: t('find.nextReview'), run: () => inBackground(review()) },
    ...(guessed > 0 ? [{ name: t('sheet.title'), run: () => openItem(sheetId) }] : []),
  ];
};

/** Commands to publish the ready items and to open a pending approval. */
const usePublishActs = (): Act[] => {
  const publish = usePublishTogether();
  const waiting = useWaitingQuestions()[0];
  const { show, showBatch } = usePrompts();
  const ready = useReadyItems('').ready;
  const acts: Act[] = [];
  const publishAll = async (): Promise<void> => {
    const { ready: found } = await call('items.chosen', { itemIds: ready?.itemIds ?? [] });
    await publish.asking(found.map((item) => item.listingId).slice(0, mostAtOnce));
  };
  if (ready && ready.itemIds.length > 1)
    acts.push({
      name: t('find.publishAll', { count: ready.itemIds.length }),
      run: () => inBackground(publishAll()),
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

/** Every command that is currently available: of the open screen and selection, and those of all screens. */
export const useActs = (): Act[] => {
  const [path] = useLocation();
  const state = useAppState().data;
  const pause = usePause();
  const save = useSaveSettings();
  const others = themes.filter(([theme]) => theme !== state?.settings.theme);
  const paused = state?.paused ?? false;
  return [
    // Include the path: another open item offers commands of the same names, and they are different commands.
    ...useOfferedActs().map((offer) => ({ ...offer, id: `${path} ${offer.id}` })),
    ...usePublishActs(),
    ...useItemActs(),
    {
      name: paused ? t('app.line.resume') : t('settings.pause.all'),
      run: () => inBackground(pause.mutateAsync(!paused)),
    },
    ...others.map(([theme, key]) => ({
      name: t('find.theme', { name: t(key) }),
      run: () => inBackground(save.mutateAsync({ theme })),
    })),
  ];
};
