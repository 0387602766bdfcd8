import { makeCodec } from '../codec.mjs';
import { toApp } from './addresses.mjs';
import { ipcMain } from './ipcMain.mjs';
import { createEvent } from './record.mjs';

export const codec = makeCodec();

const ipcEvent = (contents) => {
  const senderFrame = contents.mainFrame;
  const { routingId, processId } = senderFrame;
  const reply = (channel, ...args) => contents.send(channel, ...args);
  return createEvent({
    type: 'frame',
    sender: contents._proxy,
    senderFrame,
    frameId: routingId,
    processId,
    ports: [],
    reply,
  });
};

const invoke = async (contents, event, { channel, args }) => {
  const handler = contents.ipc._handlers.get(channel) ?? ipcMain._handlers.get(channel);
  try {
    if (handler === undefined) throw new Error(`No handler registered for '${channel}'`);
    return { value: codec.encode(await handler(event, ...args)) };
  } catch (error) {
    console.error(`Error occurred in handler for '${channel}':`, error);
    return { error: `Error invoking remote method '${channel}': ${error}` };
  }
};

/**
 * Handles a message of the preload that needs no synchronous answer: a send, an invoke, or a preload that failed to
 * load.
 */
export const answerMessage = async (contents, message) => {
  if (message.type === 'preload-error') {
    console.error(`Unable to load preload script: ${message.text}`);
    contents.emit('preload-error', createEvent(), '', new Error(message.text));
    return;
  }
  const event = ipcEvent(contents);
  const args = codec.decode(message.args);
  if (message.type === 'invoke') {
    const answer = await invoke(contents, event, { channel: message.channel, args });
    return contents._toPage({ type: 'reply', id: message.id, ...answer });
  }
  contents.emit('ipc-message', event, message.channel, ...args);
  contents.ipc.emit(message.channel, event, ...args);
  ipcMain.emit(message.channel, event, ...args);
};

const sendSync = async (contents, [channel, ...args]) => {
  if (ipcMain.listenerCount(channel) === 0) return undefined;
  const event = ipcEvent(contents);
  const answered = new Promise((resolve) => {
    Object.defineProperty(event, 'returnValue', { set: resolve, get: () => undefined });
  });
  ipcMain.emit(channel, event, ...args);
  return answered;
};

const openWindow = (contents, details) => {
  const referrer = { url: contents.getURL(), policy: 'strict-origin-when-cross-origin' };
  return contents._openHandler?.({ ...details, url: toApp(details.url), referrer })?.action ?? 'allow';
};

/**
 * Answers a synchronous call of the preload. The page is paused in a function with the variable `call`; this reads its
 * fields, writes the answer and resumes the page.
 */
export const answerPaused = async (contents, frame) => {
  if (frame?.functionName === '__standinSync') {
    const inFrame = async (expression, returnByValue) =>
      (
        await contents._send('Debugger.evaluateOnCallFrame', {
          callFrameId: frame.callFrameId,
          expression,
          returnByValue,
        })
      ).result;
    const { value: what } = await inFrame('call.what', true);
    let answer;
    if (what === 'path') {
      const { objectId } = await inFrame('call.input', false);
      answer = (await contents._send('DOM.getFileInfo', { objectId })).path;
    } else {
      const input = codec.decode((await inFrame('call.input', true)).value);
      answer = what === 'open' ? openWindow(contents, input) : await sendSync(contents, input);
    }
    await inFrame(`call.answer=${JSON.stringify(codec.encode(answer))}`, true);
  }
  await contents._send('Debugger.resume');
};
