import { mkdtemp, realpath, rm } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { createSniffer, type Verdict } from '../../core/photos/findPhotos.ts';
import type { PreparedPicture } from '../../core/photos/decode/workerMessages.ts';
import { codeOfFileError, sentenceOf } from '../../core/photos/decode/refusals.ts';
import { createPhotoWorkers } from '../../core/photos/workers.ts';
import { problemText } from '../../core/base/problem.ts';
import { createOutputs } from './placeOutput.ts';
import type { PrepareOptions } from './prepareOptions.ts';
import { walkFiles, type Met } from './walkFiles.ts';

/** What became of one file; paths as they were typed. */
export type FileLine = {
  file: string;
  outcome: 'ok' | 'reject' | 'ignore';
  output?: string;
  width?: number;
  height?: number;
  bytes?: number;
  reason?: string;
};

/** Files looked at or prepared at once: enough to keep the workers busy while results wait for their turn. */
const ahead = 24;

const passedOver: Record<Exclude<Verdict, 'photo'>, string> = {
  junk: 'A side file of a system or a program.',
  video: 'A video.',
  not_a_photo: 'Not a photo.',
  unreadable: sentenceOf('UNREADABLE_FILE'),
  outside: problemText('LINK_OUTSIDE').sentence,
};
/** What cannot be used though its name promised it; the others are not meant at all. */
const refused: readonly Verdict[] = ['unreadable', 'outside'];

type Picture = PreparedPicture & { ok: true };
type Done = { met: Met; line: FileLine; picture?: Picture; path?: string };

const met = (options: PrepareOptions): AsyncIterable<Met> | Met[] =>
  options.from.isFolder
    ? walkFiles(options.from.path, options.out.path)
    : [{ path: options.from.path, inside: basename(options.from.path), kind: 'file' }];

const verdictOf = async ({ kind, path }: Met, root: string): Promise<Verdict> => {
  if (kind === 'outside') return 'outside';
  return kind === 'other' ? 'not_a_photo' : createSniffer()(path, basename(path), [root]);
};

/**
 * Prepares all files that are asked for and yields a line for each, in their order. Only a few files are in memory or on
 * the way at once. Ends early when `signal` is aborted; leaves nothing half done behind.
 */
export async function* prepareFiles(options: PrepareOptions, signal: AbortSignal): AsyncGenerator<FileLine> {
  const workers = createPhotoWorkers({ workerUrl: new URL('../../core/photos/decode/worker.ts', import.meta.url) });
  const workDir = await mkdtemp(join(options.out.path, '.preparing-'));
  const putOut = createOutputs(options.out.path);
  const root = await realpath(options.from.path).catch(() => options.from.path);
  let number = 0;

  const prepare = async (one: Met): Promise<Done> => {
    const file = options.from.isFolder ? join(options.from.typed, one.inside) : options.from.typed;
    const line = (outcome: FileLine['outcome'], reason: string): Done => ({
      met: one,
      line: { file, outcome, reason },
    });
    if (one.kind === 'unreadable_folder')
      return line('reject', 'This folder cannot be opened. Check that you may read it.');
    const verdict = await verdictOf(one, root);
    if (verdict !== 'photo') return line(refused.includes(verdict) ? 'reject' : 'ignore', passedOver[verdict]);
    const path = join(workDir, String((number += 1)));
    const { longEdgePx, format } = options;
    const picture = await workers.picture({ source: one.path, root, path, longEdgePx, format }, signal);
    return picture.ok ? { met: one, line: { file, outcome: 'ok' }, picture, path } : line('reject', picture.sentence);
  };

  /** Results get their places one after the other, so that the same folder always gets the same names. */
  const finish = async ({ met: one, line, picture, path }: Done): Promise<FileLine> => {
    if (!picture || !path) return line;
    const { width, height, bytes } = picture;
    try {
      const place = await putOut(path, one.inside, options.format === 'webp' ? 'webp' : 'jpg');
      const output = join(options.out.typed, place.slice(options.out.path.length));
      return { ...line, output, width, height, bytes };
    } catch (error) {
      const code = codeOfFileError(error, 'CANNOT_WRITE');
      return { ...line, outcome: 'reject', reason: sentenceOf(code === 'NO_SPACE' ? code : 'CANNOT_WRITE') };
    } finally {
      await rm(path, { force: true });
    }
  };

  const line: Promise<Done>[] = [];
  const first = async (): Promise<FileLine | null> => {
    const done = await line.shift()?.catch((error: unknown) => {
      if (signal.aborted) return undefined;
      throw error;
    });
    return done ? finish(done) : null;
  };
  try {
    for await (const one of met(options)) {
      if (signal.aborted) return;
      const preparing = prepare(one);
      preparing.catch(() => {});
      line.push(preparing);
      const ready = line.length >= ahead ? await first() : null;
      if (ready) yield ready;
    }
    while (line.length > 0 && !signal.aborted) {
      const ready = await first();
      if (ready) yield ready;
    }
  } finally {
    await workers.close();
    await rm(workDir, { recursive: true, force: true });
  }
}
