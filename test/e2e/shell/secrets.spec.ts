import { join } from 'node:path';
import * as z from 'zod';
import { startTestPractice } from '../../helpers/practice.ts';
import { pairAssistant } from '../assistant.ts';
import { drawTextlessItem } from '../drawItem.ts';
import { readHeapStrings, callAsText, readExportAsText, findSecrets, readFilesIn } from '../secretPlaces.ts';
import { startRecorder } from './recorder.ts';
import { expect, test } from './shell.ts';

const mails = z.array(z.looseObject({ code: z.string().optional() }));
const email = 'seller@practice.example';

test('the key and the tokens appear in no file, log, export or window', async ({ start, folder }, info) => {
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
  await drawTextlessItem(photos);
  await dropFolder(photos);
  await expect(page.getByRole('listitem', { name: /review/i })).toBeVisible({ timeout: 60_000 });
  const { token, call } = await pairAssistant(page, await bridgeUrl(), 'Tidy Helper');
  const bridgeSaid = [await call('GET', '/agent/me'), await call('GET', '/listings'), await call('GET', '/agent/keys')];
  // A refusal must not contain secrets either.
  bridgeSaid.push(await call('POST', '/market/publish/none', { marketAccountId: 7 }));
  const exported = [
    await callAsText(page, 'app.diagnostics', {}),
    await readExportAsText(page, 'history.export', { format: 'jsonl' }),
    await readExportAsText(page, 'listings.export', {}),
    await callAsText(page, 'backups.make', {}),
    await callAsText(page, 'items.get', { itemId: 'none' }),
  ];
  const memory = await readHeapStrings(page);
  await quit();

  const [key = '', ...more] = recorder.keys();
  expect([more, code.length, token.length > 20, key.length > 20]).toEqual([[], 6, true, true]);
  const places = new Map<string, string>([
    ['what the process and the window printed', output.join('\n')],
    ['what the bridge answered', JSON.stringify(bridgeSaid)],
    ['what was exported', exported.join('\n')],
    ['the memory of the window', memory],
    ...readFilesIn(join(folder, 'data')),
  ]);
  const found = findSecrets(places, { key, token });
  expect(found).toEqual([]);
  // Six digits occur by chance in photos and databases, but not in text. The window's memory may still contain the
  // typed code, which has been used up by then.
  const words = [...places].filter(
    ([place, text]) => text !== memory && !/\.(jpg|jpeg|webp|db|db-wal|db-shm)$/.test(place),
  );
  const whole = new RegExp(`(?<!\\d)${code}(?!\\d)`);
  expect(words.filter(([, text]) => whole.test(text)).map(([place]) => place)).toEqual([]);
  const [challenge] = recorder.answers().flatMap((text) => /"challengeId":"([^"]+)"/.exec(text)?.[1] ?? []);
  expect(challenge).toBeTruthy();
  const again = await practice.call(null, 'POST', '/agent/auth/verify', { challengeId: challenge, email, code });
  expect(again.status).toBeGreaterThanOrEqual(400);
  // The search itself works: it finds the e-mail address in the memory and the database, and the key in the recorded
  // answers.
  expect(memory).toContain(email);
  expect([...places].some(([place, text]) => place.endsWith('.db') && text.includes(email))).toBe(true);
  expect(recorder.answers().some((text) => text.includes(key))).toBe(true);

  await recorder.close();
  await practice.close();
});

test('a copied key connects the app and stays out of its window, files and logs', async ({ start, folder }) => {
  const practice = await startTestPractice({ writer: 'built-in' });
  const recorder = await startRecorder(practice.url);
  const { agentKey: key } = await practice.person({ email });
  const wrong = 'agent_that_nobody_made_0123456789';
  const copied = 'The diary of Robin, page one';
  const { app, page, quit } = await start({ args: ['--service', recorder.url, '--verbose'] });
  const output: string[] = [];
  for (const stream of [app.process().stdout, app.process().stderr])
    stream?.on('data', (data: Buffer) => output.push(data.toString()));
  page.on('console', (message) => output.push(message.text()));
  const copy = (text: string): Promise<void> =>
    app.evaluate(({ clipboard }, given) => void clipboard.writeText(given), text);

  await page.getByRole('button', { name: 'Connect my account' }).first().click();
  const form = page.getByRole('form', { name: 'Key from the web settings' });
  await expect(form.getByRole('textbox')).toHaveCount(0);
  const use = form.getByRole('button', { name: 'Use the key I copied' });
  await copy(copied);
  await use.press('Enter');
  await expect(form).toContainText('That is not a key.');
  await copy(wrong);
  await use.press('Enter');
  await expect(form).toContainText('The service does not accept this key.');
  expect(await app.evaluate(({ clipboard }) => clipboard.readText())).toBe(wrong);
  const refused = await readHeapStrings(page);
  await copy(key);
  await use.press('Enter');
  await expect(page.getByRole('region', { name: 'Drop photos here' })).toBeVisible();
  // A rejected key stays in the clipboard; the accepted key is removed, because any program could read it there.
  expect(await app.evaluate(({ clipboard }) => clipboard.readText())).toBe('');
  await page.getByRole('link', { name: 'Account' }).click();
  await expect(page.getByText(email)).toBeVisible();
  const exported = [
    await callAsText(page, 'app.state', {}),
    await callAsText(page, 'app.diagnostics', {}),
    await readExportAsText(page, 'history.export', { format: 'jsonl' }),
    await callAsText(page, 'connect.clipboard', {}),
  ];
  const memory = await readHeapStrings(page);
  await quit();

  const places = new Map<string, string>([
    ['what the process and the window printed', output.join('\n')],
    ['what was exported', exported.join('\n')],
    ['the memory of the window after a refusal', refused],
    ['the memory of the window', memory],
    ...readFilesIn(join(folder, 'data')),
  ]);
  expect(findSecrets(places, { key, wrong, copied })).toEqual([]);
  // The text that is no key was not sent; the two keys were sent to the service only.
  expect(recorder.answers().some((text) => text.includes(copied))).toBe(false);
  expect(memory).toContain(email);
  expect(key.length).toBeGreaterThan(20);
  await recorder.close();
  await practice.close();
});
