import { notifications } from '@mantine/notifications';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { call } from '../../../api/call.ts';
import { sentenceOf } from '../../../api/callError.ts';
import type { PhotoView } from '../../../api/types.ts';
import { quarters, type Edits } from '../photo/photoDraft.ts';

/** What can be done to the photos of items. */
export type Arrange = {
  busy: boolean;
  begin: (itemIds?: string[]) => void;
  merge: (itemIds: string[]) => void;
  split: (photoIds: string[]) => void;
  /** Into another item, or to another place in their own: before that photo, or last. */
  move: (itemId: string, photoIds: string[], before?: string | null) => void;
  first: (itemId: string, photoIds: string[]) => void;
  aside: (photoIds: string[], aside: boolean) => void;
  remove: (photoIds: string[]) => void;
  restore: (photoIds: string[]) => void;
  edit: (photo: PhotoView, more: Partial<Edits>) => void;
  /** A quarter to the right (1) or to the left (-1). */
  turn: (photo: PhotoView, by: 1 | -1) => void;
  undo: () => void;
};

/** Every change of an arrangement; each can be taken back. What the core refuses is said, and the list read again. */
export const useArrange = (): Arrange => {
  const client = useQueryClient();
  const change = useMutation({
    mutationFn: (act: () => Promise<unknown>) => act(),
    onError: (error) => notifications.show({ message: sentenceOf(error), color: 'amber' }),
    onSettled: () => client.invalidateQueries({ queryKey: ['items'] }),
  });
  const run = (act: () => Promise<unknown>): void => change.mutate(act);
  const edit = ({ photoId, edits }: PhotoView, more: Partial<Edits>): void =>
    run(() => call('photos.edit', { photoId, edits: { ...edits, ...more } }));
  return {
    busy: change.isPending,
    begin: (itemIds?: string[]) => run(() => call('items.begin', itemIds ? { itemIds } : {})),
    merge: (itemIds: string[]) => run(() => call('items.merge', { itemIds })),
    split: (photoIds: string[]) => run(() => call('items.split', { photoIds })),
    move: (itemId: string, photoIds: string[], before: string | null = null) =>
      run(() => call('items.movePhotos', { itemId, photoIds, before })),
    first: (itemId: string, photoIds: string[]) => run(() => call('items.order', { itemId, photoIds })),
    aside: (photoIds: string[], aside: boolean) => run(() => call('photos.aside', { photoIds, aside })),
    remove: (photoIds: string[]) => run(() => call('photos.remove', { photoIds })),
    restore: (photoIds: string[]) => run(() => call('photos.restore', { photoIds })),
    edit,
    turn: (photo: PhotoView, by: 1 | -1) => edit(photo, { quarterTurns: quarters(photo.edits.quarterTurns + by) }),
    undo: () => run(() => call('items.undo', {})),
  };
};

/** The last change that can be taken back. */
export const useLastChange = () =>
  useQuery({ queryKey: ['items', 'lastChange'], queryFn: () => call('items.lastChange', {}) }).data ?? null;
