import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { promisify } from 'node:util';
import * as z from 'zod';

/** Runs a program of this machine; rejects if it is missing or fails. */
export const run = promisify(execFile);
/** Whether exiftool is installed; without it, metadata is not checked. */
export const hasExiftool = await run('exiftool', ['-ver']).then(
  () => true,
  () => false,
);
if (!hasExiftool) console.log('exiftool (libimage-exiftool-perl) is not installed; what it would read is not checked.');

const read = z.array(z.looseObject({ SourceFile: z.string() }));

/** Returns everything that exiftool finds in each file, except file data and the picture's size and encoding. */
export const readMetadata = async (paths: readonly string[]): Promise<Record<string, string[]>> => {
  const { stdout } = await run('exiftool', ['-json', '-a', '-u', '-G1', '-ee', ...paths], {
    maxBuffer: 1e9,
  });
  const plain =
    /^(SourceFile|ExifTool:ExifToolVersion|System:.*|File:(?!Comment|ExifByteOrder|Trailer).*|Composite:(ImageSize|Megapixels)|RIFF:(ImageWidth|ImageHeight|VP8Version|HorizontalScale|VerticalScale)|JFIF:(JFIFVersion|ResolutionUnit|XResolution|YResolution|ThumbnailWidth|ThumbnailHeight))$/;
  return Object.fromEntries(
    read
      .parse(JSON.parse(stdout))
      .map(({ SourceFile, ...tags }) => [SourceFile, Object.keys(tags).filter((tag) => !plain.test(tag))]),
  );
};

/** Returns the number of bytes after the end of a JPEG or WebP file. */
export const countTrailingBytes = async (path: string): Promise<number> => {
  const bytes = await readFile(path);
  if (bytes.toString('latin1', 0, 4) === 'RIFF') return bytes.length - (bytes.readUInt32LE(4) + 8);
  return bytes.length - (bytes.lastIndexOf(Buffer.from([0xff, 0xd9])) + 2) + (bytes.indexOf('Exif', 2) >= 0 ? 1 : 0);
};
