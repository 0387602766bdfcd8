import { person } from '../base/request.ts';
import type { Settings, SettingsChanges } from '../base/settings.ts';
import { type CreateItemsFromPhotos, requireSkippedLinksText } from '../items/addPhotos.ts';
import { createWatchedFolderStore, createFolderWatch, type WatchState } from '../photos/watchFolder.ts';
import { createWatchedFilesTable } from '../storage/tables/photos/watchedFilesTable.ts';
import type { CoreServices } from './coreServices.ts';

export type WatchedFolder = {
  state: () => WatchState | null;
  start: () => void;
  stop: () => Promise<void>;
  /** Changes settings. If they contain another watched folder, that folder is watched from now on. */
  changeSettings: (changes: SettingsChanges) => void;
};

const isHigherLimit = (before: number | null, after: number | null): boolean =>
  after !== null && after > (before ?? -1);

/**
 * Returns a ledger row for each changed setting that protects the person. A weaker protection also raises a
 * notification.
 */
const listProtectionChanges = (
  before: Settings,
  after: Settings,
): { kind: string; facts: Record<string, unknown> }[] => {
  const off = Object.entries(after.notify).flatMap(([kind, isOn]) =>
    !isOn && new Map(Object.entries(before.notify)).get(kind) ? [kind] : [],
  );
  const ceilings = { before: before.publishFromNotificationMinor, after: after.publishFromNotificationMinor };
  const minutes = { before: before.approvalMinutes, after: after.approvalMinutes };
  const answerTime = minutes.after > minutes.before ? 'settings.answer_time_raised' : 'settings.answer_time_lowered';
  const folders = { before: before.watchFolder, after: after.watchFolder };
  return [
    ...(folders.after !== null && folders.after !== folders.before
      ? [{ kind: 'settings.watch_folder_set', facts: folders }]
      : []),
    ...(minutes.after !== minutes.before ? [{ kind: answerTime, facts: minutes }] : []),
    ...(off.length > 0 ? [{ kind: 'settings.notifications_off', facts: { off } }] : []),
    ...(isHigherLimit(ceilings.before, ceilings.after) ? [{ kind: 'settings.ceiling_raised', facts: ceilings }] : []),
  ];
};

export const createWatchedFolder = (
  services: CoreServices,
  dataDir: string,
  add: CreateItemsFromPhotos,
): WatchedFolder => {
  const { db, settings, signedLedger, clock, connection, changed, log } = services;
  const places = createWatchedFolderStore(settings);
  const getGenerationWishes = () => {
    const { watchTemplateId: templateId } = settings.settings();
    return templateId === null ? {} : { templateId: templateId || null };
  };
  const watching = createFolderWatch({
    ...services,
    files: createWatchedFilesTable(db),
    dataDir,
    ready: () => connection.state() === 'connected',
    add: (paths, only, within) =>
      add({ kind: 'paths', paths, only, within }, person, '', { ...getGenerationWishes(), repeats: 'defer' }).then(
        ({ left = null }) => left,
        requireSkippedLinksText,
      ),
    changed: () => changed('app'),
  });
  return {
    state: watching.state,
    start: () => watching.start(places.kept(settings.settings().watchFolder)),
    stop: watching.stop,
    changeSettings: (changes) => {
      const chosen = db.transaction(() => {
        const before = settings.settings();
        settings.change(changes);
        for (const { kind, facts } of listProtectionChanges(before, settings.settings()))
          signedLedger.ledger.append(clock.now(), kind, facts);
        return places.choose(changes.watchFolder);
      })();
      if (chosen) watching.change(chosen.place).catch(() => log('warn', 'the watch folder could not be changed'));
      changed('app');
    },
  };
};
