import { PassThrough } from 'node:stream';
import { text } from 'node:stream/consumers';
import { runCli } from '../../../src/cli/runCli.ts';
import { tokenVariable } from '../../../src/host/clientTokens.ts';

export type Ended = { code: number; stdout: string; stderr: string };

/** Runs the command line in this process like a script: without a terminal or keychain, and with the token in the environment. */
export const runCommand = async (
  dataDir: string,
  args: string[],
  { token, said, isTTY = false }: { token?: string; said?: (line: string) => void; isTTY?: boolean } = {},
): Promise<Ended> => {
  const [stdout, stderr] = [new PassThrough(), Object.assign(new PassThrough(), { isTTY })];
  const heard = [text(stdout), text(stderr)];
  if (said) stderr.on('data', (chunk: Buffer) => said(chunk.toString()));
  const [name = '', ...rest] = args;
  const code = await runCli([name, ...rest, '--data', dataDir, '--keychain', 'memory'], {
    stdout,
    stderr,
    env: token === undefined ? {} : { [tokenVariable]: token },
  });
  stdout.end();
  stderr.end();
  const [out = '', err = ''] = await Promise.all(heard);
  return { code, stdout: out, stderr: err };
};
