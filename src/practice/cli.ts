import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { startPracticeService } from './startPractice.ts';
import { createWriterFromSettings } from './writer/chooseWriter.ts';
import { createSourceReaderStarter } from './writer/startReader.ts';
import type { Writer } from './writer/writer.ts';

const usage = `Usage: node src/practice/cli.ts --data DIR [--port N]

  --data DIR  where the service keeps its state; made when it is not there
  --port N    the port on 127.0.0.1; 0, which is usual, takes a free one
  --help      shows this
`;

const root = join(import.meta.dirname, '..', '..');

type CliOptions = { dataDir: string; port: number };

const exitWithMessage = (sentence: string, code: 1 | 2): never => {
  process.stderr.write(`${sentence}\n`);
  process.exit(code);
};

const parsePortOption = (text: string): number => {
  const port = /^\d{1,5}$/.test(text) ? Number(text) : Number.NaN;
  return port <= 65_535 ? port : exitWithMessage(`--port has to be a number from 0 to 65535, not "${text}".`, 2);
};

const parseCliOptions = (args: string[]): CliOptions | 'help' => {
  try {
    const { values } = parseArgs({
      args,
      strict: true,
      allowPositionals: false,
      options: { port: { type: 'string' }, data: { type: 'string' }, help: { type: 'boolean', short: 'h' } },
    });
    if (values.help) return 'help';
    if (!values.data) return exitWithMessage('--data is missing: name the folder for the state of the service.', 2);
    return { dataDir: resolve(values.data), port: parsePortOption(values.port ?? '0') };
  } catch (error) {
    return exitWithMessage(error instanceof Error ? (error.message.split('\n')[0] ?? '') : String(error), 2);
  }
};

const explainStartFailure = (error: unknown, { dataDir, port }: CliOptions): string => {
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  if (code === 'EADDRINUSE') return `The port ${port} is taken. Choose another one, or 0 for a free one.`;
  if (code === 'EACCES' && port > 0 && port < 1024) return `The port ${port} may not be used. Choose another one.`;
  if (/^(EACCES|EPERM|EROFS|ENOTDIR|EEXIST|ENOENT|SQLITE_(CANTOPEN|READONLY|PERM))/.test(code))
    return `The folder ${dataDir} cannot be written to.`;
  if (code === 'SQLITE_BUSY') return `The folder ${dataDir} is in use by another practice service.`;
  if (code === 'SQLITE_NOTADB') return `The folder ${dataDir} holds something that is no state of this service.`;
  return `The practice service could not start: ${error instanceof Error ? error.message : String(error)}`;
};

const createWriterFromEnvironment = async (): Promise<Writer> => {
  try {
    return await createWriterFromSettings({ startReader: createSourceReaderStarter(root), env: process.env });
  } catch (error) {
    return exitWithMessage(error instanceof Error ? error.message : String(error), 2);
  }
};

const startServiceFromOptions = async (options: CliOptions): Promise<void> => {
  const writer = await createWriterFromEnvironment();
  const { url, close } = await startPracticeService({ ...options, writer }).catch((error: unknown) =>
    exitWithMessage(explainStartFailure(error, options), 1),
  );
  const closeAndExit = (): void => {
    void close()
      .then(() => writer.close())
      .then(() => process.exit(0));
  };
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP', 'SIGBREAK']) process.once(signal, closeAndExit);
  console.log(JSON.stringify({ practice: url }));
};

const options = parseCliOptions(process.argv.slice(2));
if (options === 'help') process.stdout.write(usage);
else await startServiceFromOptions(options);
