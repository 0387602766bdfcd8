import { lstatSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright/test';
import * as z from 'zod';
import { startTestPractice } from '../../helpers/practice.ts';
import { pairAssistant } from '../assistant.ts';
import { drawWordless } from '../drawItem.ts';
import { startRecorder } from './recorder.ts';
import { expect, test } from './shell.ts';

const mails = z.array(z.looseObject({ code: z.string().optional() }));
const heap = z.object({ strings: z.array(z.string()) });
const email = 'seller@practice.example';

/** Every file under a folder, whatever is in it. */
const filesUnder = (folder: string): string[] =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .map((name) => join(folder, name))
    .filter((path) => lstatSync(path).isFile());

/** All texts that the window remembers, as its own debugger sees them. */
const memoryOf = async (page: Page): Promise<string> => {
  const session = await page.context().newCDPSession(page);
  let text = '';
  session.on('HeapProfiler.addHeapSnapshotChunk', ({ chunk }) => void (text += chunk));
  await session.send('HeapProfiler.collectGarbage');
  await session.send('HeapProfiler.takeHeapSnapshot', { reportProgress: false });
  await session.detach();
  // The rest are numbers, among which any six digits are met by chance.
  return heap.parse(JSON.parse(text)).strings.join('\n');
};

const saidIn = (page: Page, name: string, input: unknown): Promise<string> =>
  page.evaluate(
    async ([call, given]) => {
      const { companion } = window as unknown as { companion: { call: (name: string, input: unknown) => unknown } };
      return JSON.stringify(await companion.call(call, given));
    },
    [name, input] as const,
  );

test('after a day of work the key and the tokens are in no file, log, export or window, and the code is spent', async ({
  start,
  folder,
}, info) => {
  const practice = await startTestPractice({ writer: 'built-in' });
  const recorder = await startRecorder(practice.url);
  const { app, page, bridgeUrl, dropFolder, quit } = await start({ args: ['--service', recorder.url, '--verbose'] });
  const output: string[] = [];
  for (const stream of [app.process().stdout, app.process().stderr])
    stream?.on('data', (data: Buffer) => output.push(data.toString()));
  page.on('console', (message) => output.push(message.text()));

  await page.getByRole('button', { name: 'Connect my account' }).first().click();
  await page.getByLabel('E-mail').fill(email);
  await page.getByRole('button', { name: 'E-mail me a code' }).click();
  await page.getByLabel('6-digit code').waitFor();
  const [mail] = mails.parse(await practice.control('GET', `/outbox?email=${encodeURIComponent(email)}`));
  const code = mail?.code ?? '';
  await page.getByLabel('6-digit code').fill(code);
  await page.getByRole('button', { name: 'Connect', exact: true }).click();
  await expect(page.getByRole('region', { name: 'Drop photos here' })).toBeVisible();

  const photos = info.outputPath('Canon EOS 250D camera');
  await drawWordless(photos);
  await dropFolder(photos);
  await expect(page.getByRole('listitem', { name: /review/i })).toBeVisible({ timeout: 60_000 });
  const { token, call } = await pairAssistant(page, await bridgeUrl(), 'Tidy Helper');
  const bridgeSaid = [await call('GET', '/agent/me'), await call('GET', '/listings'), await call('GET', '/agent/keys')];
  // What fails says something, too.
  bridgeSaid.push(await call('POST', '/market/publish/none', { marketAccountId: 7 }));
  const exported = [
    await saidIn(page, 'app.diagnostics', {}),
    await saidIn(page, 'history.export', { format: 'jsonl' }),
    await saidIn(page, 'listings.export', {}),
    await saidIn(page, 'backups.make', {}),
    await saidIn(page, 'items.get', { itemId: 'none' }),
  ];
  const memory = await memoryOf(page);
  await quit();

  const [key = '', ...more] = recorder.keys();
  expect([more, code.length, token.length > 20, key.length > 20]).toEqual([[], 6, true, true]);
  const places = new Map<string, string>([
    ['what the process and the window printed', output.join('\n')],
    ['what the bridge answered', JSON.stringify(bridgeSaid)],
    ['what was exported', exported.join('\n')],
    ['the memory of the window', memory],
    ...filesUnder(join(folder, 'data')).map((path): [string, string] => [path, readFileSync(path, 'latin1')]),
  ]);
  const secrets = { key, token };
  const found = [...places].flatMap(([place, text]) =>
    Object.entries(secrets).flatMap(([name, secret]) => (text.includes(secret) ? [`the ${name} in ${place}`] : [])),
  );
  expect(found).toEqual([]);
  // A number of six digits is met by chance in pictures and databases; in words it is not. The window's own memory may
  // still hold what was typed into its field: the code is spent by then.
  const words = [...places].filter(
    ([place, text]) => text !== memory && !/\.(jpg|jpeg|webp|db|db-wal|db-shm)$/.test(place),
  );
  const whole = new RegExp(`(?<!\\d)${code}(?!\\d)`);
  expect(words.filter(([, text]) => whole.test(text)).map(([place]) => place)).toEqual([]);
  const [challenge] = recorder.answers().flatMap((text) => /"challengeId":"([^"]+)"/.exec(text)?.[1] ?? []);
  expect(challenge).toBeTruthy();
  const again = await practice.call(null, 'POST', '/agent/auth/verify', { challengeId: challenge, email, code });
  expect(again.status).toBeGreaterThanOrEqual(400);
  // The look itself finds what is there: the address in the window's memory and in the database, the code in the mail.
  expect(memory).toContain(email);
  expect([...places].some(([place, text]) => place.endsWith('.db') && text.includes(email))).toBe(true);
  expect(recorder.answers().some((text) => text.includes(key))).toBe(true);

  await recorder.close();
  await practice.close();
});
