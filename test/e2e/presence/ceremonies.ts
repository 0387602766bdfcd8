import { AxeBuilder } from '@axe-core/playwright';
import type { Page } from 'playwright/test';
import * as z from 'zod';
import { expect } from '../host.ts';
import type { CallSocket } from './openCallSocket.ts';
import { addAuthenticator, type VirtualAuthenticator } from './virtualAuthenticator.ts';

const begun = z.object({ token: z.string(), kinds: z.array(z.string()) });
const opened = z.object({ url: z.url() });
const result = z.object({ state: z.string(), proofId: z.string().nullable() });
const service = z.object({ service: z.object({ url: z.url() }) });
const mails = z.array(z.object({ code: z.string() }));

/** Signs in again with the code from the e-mail, which allows to set up the first proof. */
export const signInAgain = async (socket: CallSocket): Promise<void> => {
  const { url } = (await socket.call(service, 'app.state')).service;
  const { challengeId } = await socket.call(z.object({ challengeId: z.string() }), 'proofs.startSignIn');
  const [mail] = mails.parse(await (await fetch(`${url}/practice/outbox`)).json());
  await socket.call(z.unknown(), 'proofs.signIn', { challengeId, code: mail?.code ?? '' });
};

/** Opens the page of a ceremony that `begin` begins. */
export const beginCeremony = async (socket: CallSocket, name: string, input: object, proofId?: string) => {
  const { token } = await socket.call(begun, name, input, proofId);
  return { token, ...(await socket.call(opened, 'proofs.open', { token })) };
};

export const readResult = (socket: CallSocket, token: string) => socket.call(result, 'proofs.result', { token });

/** Waits until the ceremony is done and returns the id of its proof. */
export const waitForProof = async (socket: CallSocket, token: string): Promise<string> => {
  await expect.poll(async () => (await readResult(socket, token)).state).toBe('done');
  return (await readResult(socket, token)).proofId ?? '';
};

type Prompt = { approvalId: string; digest: string };

/** Shows prompts for as long as the companion requires, and begins the ceremony of their yes. */
export const beginYes = async (socket: CallSocket, rows: readonly Prompt[], call: string, input: object) => {
  await socket.call(z.unknown(), 'approvals.shown', {
    isAutomated: false,
    rows: rows.map(({ approvalId, digest }) => ({ approvalId, digest, drawnAs: 'prompt' })),
  });
  await expect
    .poll(async () => {
      const reply = await socket.send('proofs.begin', { call, input });
      return reply.ok ? '' : reply.problem.code;
    })
    .toBe('');
  return beginCeremony(socket, 'proofs.begin', { call, input });
};

/** Sets up a passkey at top level, as a tab that the window opens. */
export const setUpPasskey = async (
  socket: CallSocket,
  page: Page,
  label: string,
  proofId?: string,
): Promise<VirtualAuthenticator> => {
  const { token, url } = await beginCeremony(socket, 'proofs.register', { kind: 'passkey', label }, proofId);
  const tab = await page.context().newPage();
  const authenticator = await addAuthenticator(tab);
  await tab.goto(url);
  await tab.getByRole('button', { name: 'Create the passkey' }).click();
  await expect.poll(async () => (await readResult(socket, token)).state).toBe('done');
  return authenticator;
};

/** Sets a PIN and returns the tab of its page. */
export const setUpPin = async (socket: CallSocket, page: Page, pin: string): Promise<Page> => {
  const { token, url } = await beginCeremony(socket, 'proofs.register', { kind: 'pin', label: '' });
  const tab = await page.context().newPage();
  await tab.goto(url);
  await tab.getByLabel('PIN', { exact: true }).fill(pin);
  await tab.getByLabel('The same PIN again').fill(pin);
  await tab.keyboard.press('Enter');
  await expect.poll(async () => (await readResult(socket, token)).state).toBe('done');
  return tab;
};

/** Returns the accessibility problems of a light and a dark page. */
export const readAxeProblems = async (page: Page): Promise<string[]> => {
  const problems: string[] = [];
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme });
    const { violations, passes } = await new AxeBuilder({ page }).setLegacyMode().analyze();
    expect(passes.length).toBeGreaterThan(5);
    problems.push(
      ...violations.map(({ id, nodes }) => `${colorScheme} ${id}: ${nodes.map(({ html }) => html).join()}`),
    );
  }
  return problems;
};
