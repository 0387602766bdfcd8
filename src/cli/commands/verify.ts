import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import * as z from 'zod';
import { formatShortFingerprint, type Report } from '../../core/approvals/verify/report.ts';
import { verifyExportedFile } from '../../core/approvals/verify/verifyFile.ts';
import { type Command, createMisuseProblem, toTerminalText } from '../command.ts';

const flags = z.looseObject({ key: z.string().optional() });

/** Accepts a fingerprint with spaces or colons, whole or as short as the window shows it. */
const parseKeyFingerprint = (given: string | undefined): string | null => {
  if (given === undefined) return null;
  const key = given.replaceAll(/[\s:]/g, '').toLowerCase();
  if (!/^[0-9a-f]{16,64}$/.test(key))
    throw createMisuseProblem(
      '--key takes a fingerprint as the window shows it: 16 to 64 digits from 0 to 9 and a to f.',
    );
  return key;
};

/** npm changes the working folder, but keeps the original folder in `INIT_CWD`. */
const readNamedFile = async (file: string): Promise<Buffer> => {
  try {
    return await readFile(resolve(process.env['INIT_CWD'] ?? process.cwd(), file));
  } catch {
    throw createMisuseProblem(`"${toTerminalText(file)}" is not there, or may not be read.`);
  }
};

const kindNames = { ledger: 'rows of the history', receipt: 'receipt', receipts: 'receipts', unknown: '' } as const;
const maxLines = 20;

const formatKeyLines = ({ fingerprint, whole }: Report, key: string | null): string[] => {
  if (fingerprint === null) return [];
  const name = formatShortFingerprint(fingerprint);
  if (key !== null) return whole ? [`Signed by the key that you named, ${name}.`] : [];
  return [
    `Signed by the key ${name}.`,
    'Compare it with the one that the companion shows under Approvals, History. A file that another program rewrote is signed by another key.',
  ];
};

const formatReportLines = (report: Report, key: string | null): string[] => {
  const { whole, kind, count, findings, notes } = report;
  const wrong = findings.slice(0, maxLines).map(({ sentence }) => `- ${sentence}`);
  const more = findings.length > maxLines ? [`- And ${findings.length - maxLines} more.`] : [];
  const head = whole ? `Whole: ${count} ${kindNames[kind]}.` : 'Not whole.';
  return [head, ...wrong, ...more, ...notes, ...formatKeyLines(report, key)];
};

export const verifyCommand: Command = {
  takes: ['FILE'],
  flags: { key: { type: 'string' } },
  help: `  --key FINGERPRINT    The key that it must be signed with, as the companion shows it under Approvals, History

FILE is a receipt, the receipts of all questions, or the history as JSON Lines. It ends with 0 when the file is whole and
with 1 when anything in it was changed, left out, added or moved. The companion does not have to run.`,
  run: async ({ given: [file = ''], flags: wanted, out }) => {
    const key = parseKeyFingerprint(flags.parse(wanted).key);
    const report = await verifyExportedFile(await readNamedFile(file), key);
    out.result(formatReportLines(report, key), report);
    return report.whole ? 'ok' : 'refused';
  },
};
