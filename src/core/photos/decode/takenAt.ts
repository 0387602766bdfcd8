import { readExif } from './exif.ts';

/** What a camera wrote about a shot: when, in ms since 1970, and which camera it was. */
export type ShotFacts = { takenAt: number | undefined; camera: string | undefined };

const written = /^(\d{4}):(\d\d):(\d\d)[ T](\d\d):(\d\d):(\d\d)/;
const zone = /^[+-]\d\d:\d\d$/;

/** Cameras write local time, often without its zone; then the zone of this machine is assumed, which keeps the order of photos right. */
const timeOf = (text: string, zoneText: string): number | undefined => {
  const parts = written.exec(text);
  if (!parts) return undefined;
  const [, year, month, day, hours, minutes, seconds] = parts;
  const offset = zone.test(zoneText) ? zoneText : '';
  const time = Date.parse(`${year}-${month}-${day}T${hours}:${minutes}:${seconds}${offset}`);
  return Number.isFinite(time) && time > 0 ? time : undefined;
};

/** When and with what a photo was taken, from the bytes of a file (or those of its EXIF alone). Never throws. */
export const readShot = (fileOrExif: Uint8Array): ShotFacts => {
  const { make, model, takenAt, digitizedAt, takenAtZone = '' } = readExif(fileOrExif);
  const camera = [make, model].filter((part) => part !== undefined).join(' ');
  return { takenAt: timeOf(takenAt ?? digitizedAt ?? '', takenAtZone), camera: camera === '' ? undefined : camera };
};

/** When the camera says the photo was taken, in ms since 1970, or undefined. */
export const takenAt = (fileOrExif: Uint8Array): number | undefined => readShot(fileOrExif).takenAt;
