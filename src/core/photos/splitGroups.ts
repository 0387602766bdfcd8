import { limits } from '../../contract/index.ts';
import { stemOf } from './byName.ts';
import type { PhotoGroup } from './groupFiles.ts';
import { groupShots, type Grounds } from './groupShots.ts';
import { readShots } from './readShots.ts';

/** Photos for one item, and whether that they belong together is a guess. */
export type GuessedGroup = PhotoGroup & { guessed: boolean };

/** Names that cameras, phones and systems give to folders in which photos of many things lie together. */
const flatNames = [
  /^dcim$/i,
  /^\d{3}[a-z_]{5}$/i,
  /^(camera|camera roll|screenshots|whatsapp images)$/i,
  /^(pictures|photos|images|downloads|desktop|bilder|fotos|immagini|foto|imágenes|images|afbeeldingen|zdjęcia)$/i,
  /(^|\W)(inbox|import|imported|unsorted|eingang)$/i,
  /^(new folder|untitled folder|neuer ordner|nouveau dossier|nuova cartella|nueva carpeta|nieuwe map|nowy folder)\b/i,
  /^\d{4}[-_. ]?\d{2}([-_. ]?\d{2})?$/,
];

/** A folder that says nothing of its photos and has more than this is hardly one item. */
const hardlyOne = 8;

const isFlat = ({ folder, name, photos }: PhotoGroup): boolean =>
  folder === null || photos.length > limits.photosPerListing || flatNames.some((pattern) => pattern.test(name));
const saysNothing = ({ folder, name }: PhotoGroup): boolean =>
  folder === null || flatNames.some((pattern) => pattern.test(name));

const splitGroup = async (group: PhotoGroup, on: Grounds): Promise<GuessedGroup[]> => {
  if (group.photos.length < 2) return [{ ...group, guessed: false }];
  const sets = groupShots(await readShots(group.photos), on);
  if (sets.length === 1) return [{ ...group, guessed: saysNothing(group) && group.photos.length > hardlyOne }];
  return sets.map((set, nth) => {
    const photos = set.flatMap((at) => group.photos[at] ?? []);
    const name = group.folder === null ? stemOf(photos[0]?.name ?? group.name) : `${group.name} ${nth + 1}`;
    return { ...group, name, photos, guessed: true };
  });
};

/**
 * Splits groups of photos that most likely show several things, by when and with which camera they were taken. A folder
 * of its own stays one item: all the more where the person sorted photos into several.
 */
export const splitGroups = async (groups: readonly PhotoGroup[]): Promise<GuessedGroup[]> => {
  const sorted = groups.filter((group) => !isFlat(group)).length > 1;
  const split: GuessedGroup[] = [];
  for (const group of groups) {
    if (isFlat(group)) split.push(...(await splitGroup(group, 'flat')));
    else if (sorted) split.push({ ...group, guessed: false });
    else split.push(...(await splitGroup(group, 'own')));
  }
  return split;
};
