import { spawn } from 'node:child_process';
import { decode, encode, lengthOf } from './cbor.mjs';

/** The connection to Chromium's devtools protocol, once Chromium runs. */
export const chromium = { send: null, subscribe: null, running: false };

const fixedSwitches = [
  '--remote-debugging-pipe=cbor',
  '--remote-debugging-port=0',
  '--no-startup-window',
  '--no-first-run',
  '--no-default-browser-check',
  '--allow-file-access-from-files',
  '--disable-background-networking',
  '--disable-component-update',
  '--password-store=basic',
  '--force-color-profile=srgb',
  // Pages for the browser's address bar, which Electron lacks. They use more CPU than the app's window.
  '--disable-features=WebUIOmniboxPopup,WebUIOmniboxAimPopup',
];

/** Playwright connects to this address; the stand-in itself uses the pipe, which closes when it ends. */
const devtoolsAddress = (child) =>
  new Promise((resolve, reject) => {
    let said = '';
    child.stderr.on('data', (bytes) => {
      if (process.env.STANDIN_DEBUG) process.stderr.write(bytes);
      said += bytes;
      const found = /DevTools listening on (ws:\S+)/.exec(said);
      if (found) resolve(found[1]);
    });
    child.once('error', reject);
    child.once('exit', (code) => reject(new Error(`Chromium ended (${code}): ${said.slice(-400)}`)));
  });

const openPipe = ([, , , writable, readable]) => {
  let lastId = 0;
  let buffer = Buffer.alloc(0);
  const waiting = new Map();
  const subscribers = new Map();
  const receive = (message) => {
    if (!message.id) return subscribers.get(message.sessionId ?? '')?.(message);
    const { resolve, reject, method } = waiting.get(message.id);
    waiting.delete(message.id);
    if (message.error) reject(new Error(`${method}: ${message.error.message}`));
    else resolve(message.result);
  };
  writable.on('error', () => {});
  readable.on('data', (bytes) => {
    buffer = buffer.length > 0 ? Buffer.concat([buffer, bytes]) : bytes;
    for (let length = lengthOf(buffer); length !== null && length <= buffer.length; length = lengthOf(buffer)) {
      receive(decode(buffer.subarray(0, length)));
      buffer = buffer.subarray(length);
    }
  });
  chromium.subscribe = (sessionId, listener) => subscribers.set(sessionId, listener);
  chromium.send = (method, params = {}, sessionId = undefined) =>
    new Promise((resolve, reject) => {
      lastId += 1;
      waiting.set(lastId, { resolve, reject, method });
      writable.write(encode({ id: lastId, method, params, sessionId }));
    });
};

/** Starts Chromium, connects to it and returns the address for Playwright. */
export const startChromium = async (userDataDir, switches) => {
  const args = [
    ...(process.env.STANDIN_HEADED ? [] : ['--headless']),
    ...fixedSwitches,
    `--user-data-dir=${userDataDir}`,
    ...(process.getuid?.() === 0 ? ['--no-sandbox'] : []),
    ...(process.env.STANDIN_SWITCHES?.split(' ') ?? []),
    ...switches,
  ];
  const child = spawn(process.env.STANDIN_CHROMIUM ?? '/usr/bin/chromium', args, {
    stdio: ['ignore', 'ignore', 'pipe', 'pipe', 'pipe'],
  });
  process.on('exit', () => child.kill('SIGKILL'));
  const address = await devtoolsAddress(child);
  child.removeAllListeners('exit');
  child.once('exit', () => process.exit(0));
  openPipe(child.stdio);
  await chromium.send('Target.setDiscoverTargets', { discover: true });
  chromium.running = true;
  return address;
};
