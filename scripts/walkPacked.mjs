// Takes photos to a live listing in the window of a packed app: node scripts/walkPacked.mjs <program>
// A fuse of the released app disables its inspector, so the workflow packs a second copy with an inspector, which is never
// released. Clicks and the drop are real input; scripts only read the page. Pictures are written to artefacts/walk.
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { askToPair, check, checkPacked, waitFor } from './packedApp.mjs';

const pictures = join(import.meta.dirname, '..', 'artefacts', 'walk');
const photos = join(import.meta.dirname, '..', 'resources', 'samples', 'Tovalind mugs');

const findInspector = () =>
  fetch('http://127.0.0.1:9229/json/list')
    .then((response) => response.json())
    .then(([main]) => main.webSocketDebuggerUrl)
    .catch(() => null);

/** Opens the inspector of the main process. Returns a function that runs code there with the window and arguments. */
const openMain = async (pid) => {
  check((await findInspector()) === null, 'Another program listens where the inspector of the app would.');
  if (process.platform === 'win32') process._debugProcess(pid);
  else process.kill(pid, 'SIGUSR1');
  const socket = new WebSocket(await waitFor(findInspector, 'The packed app opens no inspector.'));
  await new Promise((opened, failed) => Object.assign(socket, { onopen: opened, onerror: failed }));
  const waiting = new Map();
  socket.onmessage = ({ data }) => waiting.get(JSON.parse(data).id)?.(JSON.parse(data).result);
  const electron = "process.getBuiltinModule('node:module').createRequire(process.execPath)('electron')";
  return async (work, ...given) => {
    const id = waiting.size;
    const answer = new Promise((done) => waiting.set(id, done));
    const expression = `(${work})(${electron}.BrowserWindow.getAllWindows()[0], ...${JSON.stringify(given)})`;
    const params = { expression, awaitPromise: true, returnByValue: true };
    socket.send(JSON.stringify({ id, method: 'Runtime.evaluate', params }));
    const { result, exceptionDetails } = (await Promise.race([answer, wait(30_000)])) ?? {};
    check(result, 'The packed app does not answer.');
    check(!exceptionDetails, result.description);
    return result.value;
  };
};

// These functions run in the main process, so they cannot refer to other code of this file.
const bringToFront = async (window) => {
  window.focus();
  // The system can prevent a program from moving to the front, and no person can help on these machines.
  window.webContents.debugger.attach();
  await window.webContents.debugger.sendCommand('Emulation.setFocusEmulationEnabled', { enabled: true });
};
const readPage = ({ webContents }, source) => webContents.executeJavaScript(source);
const pressAt = ({ webContents }, place) => {
  for (const type of ['mouseMove', 'mouseDown', 'mouseUp'])
    webContents.sendInputEvent({ type, ...place, button: 'left', clickCount: 1 });
};
const dropFolder = async ({ webContents }, folder) => {
  const drag = { x: 400, y: 400, data: { items: [], files: [folder], dragOperationsMask: 1 } };
  for (const type of ['dragEnter', 'dragOver', 'drop'])
    await webContents.debugger.sendCommand('Input.dispatchDragEvent', { type, ...drag });
};
const takePicture = async ({ webContents }) => (await webContents.capturePage()).toPNG().toString('base64');

/** Runs in the page. Returns the centre of the first matching element that a click can reach. */
const findPlace = (selector, pattern) => {
  for (const found of document.querySelectorAll(selector)) {
    const text = `${found.getAttribute('aria-label') ?? ''} ${found.innerText} ${found.value ?? ''}`.trim();
    if (found.disabled || !new RegExp(pattern).test(text)) continue;
    found.scrollIntoView({ block: 'nearest', behavior: 'instant' });
    const { left, top, width, height } = found.getBoundingClientRect();
    const place = { x: Math.round(left + width / 2), y: Math.round(top + height / 2) };
    if (found.contains(document.elementFromPoint(place.x, place.y))) return place;
  }
  return null;
};

await checkPacked(async ({ pid, url }) => {
  const inMain = await openMain(pid);
  const see = (selector, { source }) => {
    const script = `(${findPlace})(${JSON.stringify(selector)}, ${JSON.stringify(source)})`;
    return waitFor(() => inMain(readPage, script), `There is no ${selector} with the text ${source}.`);
  };
  const press = async (selector, pattern) => inMain(pressAt, await see(selector, pattern));
  const askBridge = async (path, authorization) =>
    (await fetch(new URL(path, url), { headers: { authorization } })).json();
  let at = 0;
  const step = async (name, act) => {
    at += 1;
    const failure = await act().catch((error) => error.message);
    // New elements are still fading in.
    await wait(600);
    const picture = await inMain(takePicture).catch((error) => console.error(`No picture: ${error.message}`));
    mkdirSync(pictures, { recursive: true });
    if (picture) writeFileSync(join(pictures, `${at} ${name}.png`), picture, 'base64');
    check(typeof failure !== 'string', `The walk failed at step ${at}, "${name}": ${failure}`);
  };

  let token;
  await step('begin in an empty shop', async () => {
    await inMain(bringToFront);
    await press('button', /Start with an empty shop/);
    await see('*', /^Drop photos here/);
  });
  await step('let an assistant in', async () => {
    const { pairingId, pairingSecret, code } = await askToPair(url, 'Walker');
    await press('a', /Assistants/);
    await see('li', new RegExp(`Walker[^]*${code}`));
    await press('button', /^Accept/);
    const collect = async () => (await askBridge(`/companion/pairings/${pairingId}`, `Pairing ${pairingSecret}`)).token;
    token = await waitFor(collect, 'The assistant is given no token.');
  });
  await step('drop photos', async () => {
    await press('a', /Items/);
    await inMain(dropFolder, photos);
    await see('li', /Ready to review/);
  });
  await step('read the written listing', async () => {
    await press('li', /Ready to review/);
    await see('textarea', /Tovalind/);
  });
  await step('read price and fee', async () => {
    await press('button', /^Publish…/);
    await see('[role=dialog]', /Price\s+US\$\d[^]*fees[^]*Publish for US\$\d/);
  });
  await step('say yes', async () => {
    await press('[role=dialog] button', /^Publish for US\$\d/);
    await see('[role=dialog] a', /Open listing/);
  });
  await step('find it live', async () => {
    const { listings } = await askBridge('/listings', `Bearer ${token}`);
    const said = JSON.stringify(listings?.map(({ status }) => status));
    check(said === '["published"]', `The listings that the bridge knows are ${said}.`);
  });
});
