import type { Page } from 'playwright/test';
import * as z from 'zod';
import { expect, test } from '../host.ts';
import { beginCeremony, readResult, signInAgain } from './ceremonies.ts';
import { isFirefoxInstalled, keys, startFirefox, type Firefox } from './firefox.ts';
import { openCallSocket, type CallSocket } from './openCallSocket.ts';

test.skip(!isFirefoxInstalled(), 'The Debian package firefox-esr is not installed.');

const resume = { call: 'app.pause', input: { paused: false } };
const wrongPin = 'This PIN is wrong.';

let firefox: Firefox;
let socket: CallSocket;
test.beforeEach(async ({ host }, info) => {
  firefox = await startFirefox(info.outputPath('firefox'));
  socket = await openPractice(host.page);
});
test.afterEach(async () => {
  socket.close();
  await firefox.stop();
});

const openPractice = async (page: Page): Promise<CallSocket> => {
  await expect(page.getByRole('button', { name: 'Try it with practice data' })).toBeVisible();
  const opened = await openCallSocket(page);
  await opened.call(z.unknown(), 'connect.practice', { shop: 'empty' });
  await signInAgain(opened);
  return opened;
};

const openCeremony = async (name: string, input: object): Promise<string> => {
  const { token, url } = await beginCeremony(socket, name, input);
  await firefox.open(url);
  return token;
};
const expectText = (selector: string, text: string | RegExp): Promise<void> =>
  expect.poll(() => firefox.readText(selector)).toMatch(text);
const expectEnd = (token: string, state: string): Promise<void> =>
  expect.poll(async () => (await readResult(socket, token)).state).toBe(state);

test('Firefox sets a PIN and confirms with it on the page at top level, with the keyboard alone', async () => {
  const setUp = await openCeremony('proofs.register', { kind: 'pin', label: '' });
  await expectText('h1', 'Set up a PIN');
  await firefox.type(`246813${keys.Tab}246813${keys.Enter}`);
  await expectEnd(setUp, 'done');
  await expectText('[role=status]', /^Saved/);

  const token = await openCeremony('proofs.begin', resume);
  await expectText('.act', 'Resume all work');
  await firefox.type(`111112${keys.Enter}`);
  await expectText('[role=alert]', wrongPin);
  await firefox.type(`246813${keys.Enter}`);
  await expectEnd(token, 'done');
  expect((await readResult(socket, token)).proofId).toMatch(/^pr_/);

  const left = await openCeremony('proofs.begin', resume);
  await expectText('.act', 'Resume all work');
  await firefox.type(keys.Escape);
  await expectEnd(left, 'cancelled');
  await expectText('[role=status]', /^You cancelled/);
});

test('Firefox sets up a passkey and confirms with it on the page at top level', async () => {
  await firefox.addAuthenticator();
  const setUp = await openCeremony('proofs.register', { kind: 'passkey', label: 'Laptop' });
  await expectText('h1', 'Set up a passkey');
  await firefox.click('[data-act=createPasskey]');
  await expectEnd(setUp, 'done');

  const token = await openCeremony('proofs.begin', resume);
  await expectEnd(token, 'done');
  await expectText('[role=status]', /^Confirmed/);
});
