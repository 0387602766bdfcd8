import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, writeFileSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { join } from 'node:path';
import * as z from 'zod';

const program = 'firefox-esr';
export const isFirefoxInstalled = (): boolean => spawnSync(program, ['--version']).status === 0;

type Send = (command: string, parameters?: object) => Promise<unknown>;

const message = z.tuple([z.literal(1), z.int(), z.unknown(), z.unknown()]);

/** Returns the messages that are complete, and the bytes of the next one. Each message is `length:json`. */
const splitMessages = (bytes: Buffer): { complete: unknown[]; rest: Buffer } => {
  const complete: unknown[] = [];
  let rest = bytes;
  for (let colon = rest.indexOf(':'); colon >= 0; colon = rest.indexOf(':')) {
    const end = colon + 1 + Number(rest.subarray(0, colon));
    if (rest.length < end) break;
    complete.push(JSON.parse(rest.subarray(colon + 1, end).toString()));
    rest = rest.subarray(end);
  }
  return { complete, rest };
};

/** Speaks Marionette, the protocol of Firefox for tests, which alone reaches its virtual authenticator. */
const createSender = (socket: Socket): Send => {
  const waiting = new Map<number, PromiseWithResolvers<unknown>>();
  let bytes = Buffer.alloc(0);
  let lastId = 0;
  socket.on('data', (data: Buffer) => {
    const { complete, rest } = splitMessages(Buffer.concat([bytes, data]));
    bytes = Buffer.from(rest);
    for (const part of complete) {
      // The greeting is no reply.
      const { data: reply } = message.safeParse(part);
      if (!reply) continue;
      const [, id, error, value] = reply;
      if (error === null) waiting.get(id)?.resolve(value);
      else waiting.get(id)?.reject(new Error(JSON.stringify(error)));
    }
  });
  return (command, parameters = {}) => {
    const reply = Promise.withResolvers<unknown>();
    waiting.set((lastId += 1), reply);
    const text = JSON.stringify([0, lastId, command, parameters]);
    socket.write(`${Buffer.byteLength(text)}:${text}`);
    return reply.promise;
  };
};

/** Firefox chooses a free port and prints it. */
const readPort = (firefox: ChildProcess): Promise<number> =>
  new Promise((resolve, reject) => {
    let output = '';
    const onData = (data: Buffer): void => {
      output += data.toString();
      const [, port] = /Marionette\s+INFO\s+Listening on port (\d+)/.exec(output) ?? [];
      if (port !== undefined) resolve(Number(port));
    };
    firefox.stdout?.on('data', onData);
    firefox.stderr?.on('data', onData);
    firefox.on('exit', () => reject(new Error(output)));
  });

const element = z.object({ value: z.record(z.string(), z.string()) });
const result = z.object({ value: z.string() });

export type Firefox = {
  open: (url: string) => Promise<void>;
  /** Types into the element that has the focus. */
  type: (text: string) => Promise<void>;
  click: (selector: string) => Promise<void>;
  readText: (selector: string) => Promise<string>;
  /** Adds an authenticator that confirms by itself, as a person with a fingerprint does. */
  addAuthenticator: () => Promise<void>;
  stop: () => Promise<void>;
};

/** The keys that a page gets by these characters of WebDriver. */
export const keys = { Enter: '\uE007', Tab: '\uE004', Escape: '\uE00C' } as const;

const preferences = [
  'user_pref("marionette.port", 0);',
  // Passkeys come only from the virtual authenticator.
  'user_pref("security.webauth.webauthn_enable_softtoken", true);',
  'user_pref("security.webauth.webauthn_enable_usbtoken", false);',
];

/** Starts Firefox without a window. Its profile and its home are in `folder`. */
export const startFirefox = async (folder: string): Promise<Firefox> => {
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'user.js'), preferences.join('\n'));
  const firefox = spawn(program, ['--headless', '--no-remote', '--profile', folder, '--marionette', 'about:blank'], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, HOME: folder },
  });
  const exited = once(firefox, 'exit');
  const socket = connect(await readPort(firefox), '127.0.0.1');
  const send = createSender(socket);
  await send('WebDriver:NewSession');
  const find = async (selector: string): Promise<string> => {
    const { value } = element.parse(await send('WebDriver:FindElement', { using: 'css selector', value: selector }));
    return Object.values(value)[0] ?? '';
  };
  return {
    open: async (url) => void (await send('WebDriver:Navigate', { url })),
    type: async (text) => {
      const actions = [...text].flatMap((value) => [
        { type: 'keyDown', value },
        { type: 'keyUp', value },
      ]);
      await send('WebDriver:PerformActions', { actions: [{ type: 'key', id: 'keyboard', actions }] });
    },
    click: async (selector) => void (await send('WebDriver:ElementClick', { id: await find(selector) })),
    readText: async (selector) => {
      const script = 'return document.querySelector(arguments[0])?.innerText ?? ""';
      return result.parse(await send('WebDriver:ExecuteScript', { script, args: [selector] })).value;
    },
    addAuthenticator: async () => {
      const { value: authenticatorId } = result.parse(
        await send('WebAuthn:AddVirtualAuthenticator', {
          ...{ protocol: 'ctap2', transport: 'internal', hasResidentKey: true, hasUserVerification: true },
          ...{ isUserConsenting: true, isUserVerified: true },
        }),
      );
      if (authenticatorId === '') throw new Error('There is no authenticator.');
    },
    stop: async () => {
      await send('Marionette:Quit', { flags: ['eForceQuit'] });
      socket.destroy();
      await exited;
    },
  };
};
