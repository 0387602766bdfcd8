import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { startPractice } from './startPractice.ts';
import { chooseWriter } from './writer/chooseWriter.ts';
import { sourceReaderStarter } from './writer/startReader.ts';
import type { Writer } from './writer/writer.ts';

const usage = `Usage: node src/practice/cli.ts --data DIR [--port N]

  --data DIR  where the service keeps its state; made when it is not there
  --port N    the port on 127.0.0.1; 0, which is usual, takes a free one
  --help      shows this
`;

const root = join(import.meta.dirname, '..', '..');

type Options = { dataDir: string; port: number };

const stop = (sentence: string, code: 1 | 2): never => {
  process.stderr.write(`${sentence}\n`);
  process.exit(code);
};

const portOf = (text: string): number => {
  const port = /^\d{1,5}$/.test(text) ? Number(text) : Number.NaN;
  return port <= 65_535 ? port : stop(`--port has to be a number from 0 to 65535, not "${text}".`, 2);
};

const optionsOf = (args: string[]): Options | 'help' => {
  try {
    const { values } = parseArgs({
      args,
      strict: true,
      allowPositionals: false,
      options: { port: { type: 'string' }, data: { type: 'string' }, help: { type: 'boolean', short: 'h' } },
    });
    if (values.help) return 'help';
    if (!values.data) return stop('--data is missing: name the folder for the state of the service.', 2);
    return { dataDir: resolve(values.data), port: portOf(values.port ?? '0') };
  } catch (error) {
    return stop(error instanceof Error ? (error.message.split('\n')[0] ?? '') : String(error), 2);
  }
};

/** Explains in one sentence why the service did not start. */
const problemOf = (error: unknown, { dataDir, port }: Options): string => {
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  if (code === 'EADDRINUSE') return `The port ${port} is taken. Choose another one, or 0 for a free one.`;
  if (code === 'EACCES' && port > 0 && port < 1024) return `The port ${port} may not be used. Choose another one.`;
  if (/^(EACCES|EPERM|EROFS|ENOTDIR|EEXIST|ENOENT|SQLITE_(CANTOPEN|READONLY|PERM))/.test(code))
    return `The folder ${dataDir} cannot be written to.`;
  if (code === 'SQLITE_BUSY') return `The folder ${dataDir} is in use by another practice service.`;
  if (code === 'SQLITE_NOTADB') return `The folder ${dataDir} holds something that is no state of this service.`;
  return `The practice service could not start: ${error instanceof Error ? error.message : String(error)}`;
};

const openWriter = async (): Promise<Writer> => {
  try {
    return await chooseWriter({ startReader: sourceReaderStarter(root), env: process.env });
  } catch (error) {
    return stop(error instanceof Error ? error.message : String(error), 2);
  }
};

const start = async (options: Options): Promise<void> => {
  const writer = await openWriter();
  const { url, close } = await startPractice({ ...options, writer }).catch((error: unknown) =>
    stop(problemOf(error, options), 1),
  );
  const end = (): void => {
    void close()
      .then(() => writer.close())
      .then(() => process.exit(0));
  };
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP', 'SIGBREAK']) process.once(signal, end);
  console.log(JSON.stringify({ practice: url }));
};

const options = optionsOf(process.argv.slice(2));
if (options === 'help') process.stdout.write(usage);
else await start(options);
