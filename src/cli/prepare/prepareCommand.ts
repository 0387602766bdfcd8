import { once } from 'node:events';
import type { Writable } from 'node:stream';
import { systemClock } from '../../core/base/clock.ts';
import { Problem } from '../../core/base/problem.ts';
import type { StartProcess } from '../../isolated/processClient.ts';
import { createKitchenStarter } from '../../host/kitchen.ts';
import { prepareFiles, type FileLine } from './prepareFiles.ts';
import { readPrepareOptions, prepareUsage } from './prepareOptions.ts';

type PrepareStreams = { stdout: Writable; stderr: Writable & { isTTY?: boolean; columns?: number } };
type PrepareProcess = PrepareStreams & { startKitchen?: StartProcess };

type Totals = { files: number; ok: number; reject: number; ignore: number; bytes: number; seconds: number };

// File names can contain characters that move the cursor of a terminal.
const replaceControlCharacters = (text: string): string => text.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, '�');

const formatFileLine = ({ file, outcome, output, width, height, bytes, reason }: FileLine): string =>
  outcome === 'ok'
    ? `ok      ${replaceControlCharacters(file)} → ${replaceControlCharacters(output ?? '')} (${width} × ${height}, ${Math.round((bytes ?? 0) / 1000)} KB)`
    : `${outcome.padEnd(7)} ${replaceControlCharacters(file)}: ${reason}`;

const formatTotalsLine = ({ files, ok, reject, ignore, bytes, seconds }: Totals): string =>
  `${files} files in ${seconds} s: ${ok} prepared (${(bytes / 1e6).toFixed(1)} MB), ${reject} refused, ${ignore} skipped.`;

const writeOutputLine = async (stream: Writable, text: string): Promise<void> => {
  if (!stream.write(`${text}\n`) && !stream.destroyed) await once(stream, 'drain').catch(() => {});
};

const addToTotals = (totals: Totals, line: FileLine): void => {
  totals.files += 1;
  totals[line.outcome] += 1;
  totals.bytes += line.bytes ?? 0;
};

/** Aborts after a termination signal, or when the program that reads the output ends. */
const createStopSignal = (out: PrepareStreams) => {
  const abort = new AbortController();
  const abortPreparing = (): void => abort.abort();
  const signals = ['SIGINT', 'SIGTERM', 'SIGHUP', 'SIGBREAK'] as const;
  for (const name of signals) process.on(name, abortPreparing);
  out.stdout.on('error', abortPreparing);
  return {
    signal: abort.signal,
    done: () => {
      for (const name of signals) process.off(name, abortPreparing);
    },
  };
};

const prepareAndReport = async (args: readonly string[], out: PrepareProcess): Promise<number> => {
  const options = await readPrepareOptions(args);
  if (options === 'help') {
    await writeOutputLine(out.stdout, prepareUsage.trimEnd());
    return 0;
  }
  const { signal, done } = createStopSignal(out);
  const progress = !options.json && out.stderr.isTTY === true;
  const clear = progress ? '\r\x1b[K' : '';
  const totals: Totals = { files: 0, ok: 0, reject: 0, ignore: 0, bytes: 0, seconds: 0 };
  const from = systemClock.elapsedMs();
  for await (const line of prepareFiles(options, out.startKitchen ?? createKitchenStarter(), signal)) {
    addToTotals(totals, line);
    if (clear) out.stderr.write(clear);
    await writeOutputLine(out.stdout, options.json ? JSON.stringify(line) : formatFileLine(line));
    if (clear) out.stderr.write(`${totals.ok} prepared, ${totals.reject} refused …`);
  }
  if (clear) out.stderr.write(clear);
  done();
  totals.seconds = Math.round((systemClock.elapsedMs() - from) / 10) / 100;
  const stopped = signal.aborted ? { stopped: true } : {};
  await writeOutputLine(out.stdout, options.json ? JSON.stringify({ totals, ...stopped }) : formatTotalsLine(totals));
  return signal.aborted ? 130 : 0;
};

/** Returns 0 even if photos are refused, 2 for wrong arguments, or 130 if the work was aborted. */
export const prepareCommand = async (args: readonly string[], out: PrepareProcess): Promise<number> => {
  try {
    return await prepareAndReport(args, out);
  } catch (error) {
    if (!(error instanceof Problem) || error.code !== 'MISUSE') throw error;
    await writeOutputLine(out.stderr, `${error.message}\n\n${prepareUsage.trimEnd()}`);
    return 2;
  }
};
