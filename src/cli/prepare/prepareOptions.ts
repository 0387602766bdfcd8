import { constants } from 'node:fs';
import { access, mkdir, stat } from 'node:fs/promises';
import { readRealPath } from '../../disk/realPath.ts';
import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { photoFormats, type PhotoFormat } from '../../photoContract/messages.ts';
import { createMisuseProblem } from '../command.ts';
import { defaultLongEdgePx } from '../../core/photos/preparedPhotos.ts';

export const prepareUsage = `Usage: npm run -s cli -- prepare IN --out OUT [--json] [--size 1600] [--format jpeg|webp]

Makes upload-ready photos of a photo or of all photos in a folder and the folders in it:
upright, sRGB, shrunk, without metadata. The originals stay as they are.

  IN        a photo or a folder
  --out     the folder for the results; made when it is not there, nothing in it is overwritten
  --size    the long edge in pixels, 200 to 8000; smaller photos are not enlarged
  --format  jpeg or webp
  --json    one line of JSON a file, and a last one of totals
`;

export type PrepareOptions = {
  /** `typed` is the path that the person typed, and `path` is absolute. */
  from: { typed: string; path: string; isFolder: boolean };
  out: { typed: string; path: string };
  json: boolean;
  longEdgePx: number;
  format: PhotoFormat;
};

const parsePrepareFlags = (args: readonly string[]) => {
  try {
    return parseArgs({
      args: [...args],
      strict: true,
      allowPositionals: true,
      options: {
        out: { type: 'string' },
        json: { type: 'boolean', default: false },
        size: { type: 'string', default: String(defaultLongEdgePx) },
        format: { type: 'string', default: 'jpeg' },
        help: { type: 'boolean', short: 'h', default: false },
      },
    });
  } catch (error) {
    throw createMisuseProblem(
      error instanceof Error ? (error.message.split('. ')[0] ?? '') + '.' : String(error),
      'args',
    );
  }
};

const parseLongEdge = (text: string): number => {
  const size = /^\d{1,5}$/.test(text) ? Number(text) : Number.NaN;
  if (size >= 200 && size <= 8_000) return size;
  throw createMisuseProblem(`--size has to be a whole number from 200 to 8000, not "${text}".`, 'size');
};

const parsePhotoFormat = (text: string): PhotoFormat => {
  const format = photoFormats.find((known) => known === text);
  if (format) return format;
  throw createMisuseProblem(`--format has to be jpeg or webp, not "${text}".`, 'format');
};

/** npm changes the working folder, but keeps the original folder in `INIT_CWD`. */
const getWorkingFolder = (): string => process.env.INIT_CWD ?? process.cwd();

const createOutputFolder = async (path: string, typed: string): Promise<void> => {
  try {
    await mkdir(path, { recursive: true });
    await access(path, constants.W_OK);
  } catch {
    throw createMisuseProblem(
      `"${typed}" cannot be used as the folder for the results. Name another one with --out.`,
      'out',
    );
  }
};

/** Parses the arguments and creates the output folder. Throws `MISUSE`. */
export const readPrepareOptions = async (args: readonly string[]): Promise<PrepareOptions | 'help'> => {
  const { values, positionals } = parsePrepareFlags(args);
  if (values.help) return 'help';
  const [typed, more] = positionals;
  if (!typed) throw createMisuseProblem('IN is missing: name a photo or a folder.', 'in');
  if (more !== undefined) throw createMisuseProblem(`One photo or folder at a time: "${more}" is one too many.`, 'in');
  if (!values.out) throw createMisuseProblem('--out is missing: name the folder for the results.', 'out');
  const [longEdgePx, format] = [parseLongEdge(values.size), parsePhotoFormat(values.format)];
  const path = resolve(getWorkingFolder(), typed);
  const found = await stat(path).catch(() => null);
  if (!found) throw createMisuseProblem(`"${typed}" is not there, or may not be read.`, 'in');
  const out = { typed: values.out, path: resolve(getWorkingFolder(), values.out) };
  await createOutputFolder(out.path, out.typed);
  const isFolder = found.isDirectory();
  if (isFolder && (await readRealPath(path)) === (await readRealPath(out.path)))
    throw createMisuseProblem(
      'The results cannot go into the folder of the originals itself. Name another one with --out.',
      'out',
    );
  return { from: { typed, path, isFolder }, out, json: values.json, longEdgePx, format };
};
