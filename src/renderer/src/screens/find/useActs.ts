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

/** Something that can be done from anywhere; with an `id` where its name may change while it is looked at. */
export type Act = { id?: string; name: string; about?: string; run: () => void };

/** The dialog is gone by the time something is refused: that is said where all is said that comes later. */
const inBackground = (doing: Promise<unknown>): void =>
  void doing.catch((error: unknown) => notifications.show({ message: sentenceOf(error), color: 'amber' }));

/** Opens the system's dialog, as the fields of the items do. */
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
  // One that is in no page may be gone before the person has chosen.
  field.hidden = true;
  document.body.append(field);
  field.click();
};

/** New items, checked groups, and the next one to look over. */
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

/** The questions that can be asked, and the ones that wait. */
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

/** Everything that can be done as it stands now: with what is open or selected, and from any screen. */
export const useActs = (): Act[] => {
  const [path] = useLocation();
  const state = useAppState().data;
  const pause = usePause();
  const save = useSaveSettings();
  const others = themes.filter(([theme]) => theme !== state?.settings.theme);
  const paused = state?.paused ?? false;
  return [
    // What is opened meanwhile has acts of the same names, and they are others.
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
