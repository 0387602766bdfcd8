import { randomUUID } from 'node:crypto';
import { EventEmitter } from 'node:events';
import { toApp, toChromium } from './addresses.mjs';
import { answerMessage, answerPaused, codec } from './answerPage.mjs';
import { answerRequest } from './answerRequest.mjs';
import { chromium } from './chromium.mjs';
import { IpcMain } from './ipcMain.mjs';
import { nativeImage } from './nativeImage.mjs';
import { keyEvent } from './keyEvent.mjs';
import { pageScripts, worldName } from './pageScripts.mjs';
import { createEvent, record, recorder } from './record.mjs';
import { defaultSession, protocol } from './session.mjs';
import { contents } from './windows.mjs';

let lastId = 0;

const domains = ['Page', 'Runtime', 'DOM', 'Debugger', 'Inspector', 'Network'];

/** Electron's error if there is no page to run a script in. */
const disposed = () => new Error('Render frame was disposed before WebFrameMain could be accessed');

const loadFailed = (code, errno, url) =>
  Object.assign(new Error(`${code} (${errno}) loading '${url}'`), { code, errno, url });

/** The page of a window: its addresses, its messages and its events. */
export class WebContents extends EventEmitter {
  session = defaultSession;
  ipc = new IpcMain();
  debugger = recorder('debugger', new EventEmitter());
  _openHandler = null;
  #window;
  #preferences;
  #sessionId;
  #frameId;
  #context;
  #url = '';
  #title = '';
  #isGone = false;
  #isCrashed = false;
  #isLoading = false;
  /** Counts the renderers that have ended. */
  #renderer = 0;
  #loading = null;
  #expected = new Set();
  #zoomLevel = 0;

  constructor(window, preferences) {
    super();
    lastId += 1;
    this.id = lastId;
    this.#window = window;
    this.#preferences = preferences;
    this._ready = this.#open();
  }

  static getAllWebContents() {
    return [...contents.values()];
  }
  static fromId(id) {
    return contents.get(id);
  }

  _send(method, params) {
    return chromium.send(method, params, this.#sessionId);
  }

  async #open() {
    const { width, height } = this.#window._bounds;
    const page = { url: 'about:blank', newWindow: true, width, height };
    this._targetId = (await chromium.send('Target.createTarget', page)).targetId;
    const attached = await chromium.send('Target.attachToTarget', { targetId: this._targetId, flatten: true });
    this.#sessionId = attached.sessionId;
    chromium.subscribe(this.#sessionId, ({ method, params }) => this.#listen(method, params));
    await Promise.all(domains.map((domain) => this._send(`${domain}.enable`)));
    await this._resize(this.#window._bounds);
    await this._send('Runtime.addBinding', { name: '__standinSend', executionContextName: worldName });
    const scripts = this.#preferences.preload ? pageScripts(this.#preferences, randomUUID()) : [];
    for (const script of scripts) await this._send('Page.addScriptToEvaluateOnNewDocument', script);
    await this._send('Fetch.enable', { patterns: this.#intercepted() });
    this.#frameId = (await this._send('Page.getFrameTree')).frameTree.frame.id;
  }
  #intercepted() {
    const own = [...protocol.handlers.keys()].map((scheme) => ({ urlPattern: `${scheme}:*` }));
    return [{ urlPattern: '*', resourceType: 'Document' }, { urlPattern: 'https://*.standin/*' }, ...own];
  }
  async _resize({ width, height }) {
    const metrics = { width, height, deviceScaleFactor: 0, mobile: false };
    await this._send('Emulation.setDeviceMetricsOverride', metrics).catch(() => {});
  }

  #listen(method, params) {
    // Chromium reports events of a closing page until the page is closed; Electron does not.
    if (this.#isGone) return;
    Promise.resolve(this.#events[method]?.(params)).catch((error) => {
      if (!this.#isGone) console.error('stand-in:', error);
    });
  }
  #events = {
    'Runtime.executionContextCreated': ({ context }) => {
      if (context.name === worldName && this._isTopFrame(context.auxData?.frameId)) this.#context = context.id;
    },
    'Runtime.executionContextDestroyed': ({ executionContextId }) => {
      if (executionContextId === this.#context) this.#context = undefined;
    },
    'Runtime.executionContextsCleared': () => {
      this.#context = undefined;
    },
    'Runtime.bindingCalled': ({ name, payload }) =>
      name === '__standinSend' ? answerMessage(this, JSON.parse(payload)) : undefined,
    'Runtime.consoleAPICalled': ({ type, args }) => {
      const message = args.map((arg) => arg.value ?? arg.description ?? '').join(' ');
      const level = ['warning', 'error', 'debug'].includes(type) ? type : 'info';
      this.emit('console-message', createEvent({ level, message }));
    },
    'Debugger.paused': ({ callFrames }) => answerPaused(this, callFrames[0]),
    'Fetch.requestPaused': (request) => answerRequest(this, request),
    'Page.frameNavigated': ({ frame }) => {
      if (frame.parentId) return;
      this.#url = toApp(frame.url) + (frame.urlFragment ?? '');
      this.emit('did-navigate', createEvent(), this.#url, 200, '');
    },
    'Page.navigatedWithinDocument': ({ frameId, url }) => {
      if (!this._isTopFrame(frameId)) return;
      this.#url = toApp(url);
      this.emit('did-navigate-in-page', createEvent(), this.#url, true);
    },
    'Page.frameStartedLoading': ({ frameId }) => {
      if (this._isTopFrame(frameId)) this.#isLoading = true;
    },
    'Page.frameStoppedLoading': ({ frameId }) => {
      if (this._isTopFrame(frameId)) this.#isLoading = false;
    },
    'Page.domContentEventFired': () => this.emit('dom-ready', createEvent()),
    'Page.loadEventFired': () => this.#loaded(),
    'Inspector.targetCrashed': () => this.#crashed(),
    'Inspector.targetReloadedAfterCrash': () => {
      this.#isCrashed = false;
    },
  };
  #crashed() {
    this.#isCrashed = true;
    this.#isLoading = false;
    this.#context = undefined;
    this.#endRenderer();
    this.emit('render-process-gone', createEvent(), { reason: 'crashed', exitCode: 139 });
  }
  #endRenderer() {
    this.#renderer += 1;
    this.#loading?.reject(loadFailed('ERR_FAILED', -2, this.#url));
  }
  async #loaded() {
    const title = await this._send('Runtime.evaluate', { expression: 'document.title' });
    this.#title = title.result.value ?? '';
    this.emit('did-stop-loading', createEvent());
    this.emit('did-finish-load', createEvent());
    this.#loading?.resolve();
    this.#window._painted(this.#title);
  }

  _isTopFrame(frameId) {
    return frameId === this.#frameId;
  }
  /** Returns whether the app itself requested this navigation; each request counts once. */
  _isExpected(address) {
    return this.#expected.delete(address);
  }

  async loadURL(address) {
    this.#isLoading = true;
    await this._ready;
    const url = new URL(toChromium(address)).href;
    this.#loading = Promise.withResolvers();
    this.#expected.add(url.replace(/#.*$/, ''));
    this.emit('did-start-loading');
    const { promise } = this.#loading;
    promise.catch(() => {});
    const { errorText } = await this._send('Page.navigate', { url });
    if (!errorText) return promise;
    this.emit('did-fail-load', createEvent(), -2, errorText, address, true);
    throw loadFailed(errorText, -2, address);
  }
  reload() {
    this.#isLoading = true;
    void this._ready.then(() => {
      this.#expected.add(toChromium(this.#url).replace(/#.*$/, ''));
      return this._send('Page.reload');
    });
  }

  send(channel, ...args) {
    this._toPage({ type: 'message', channel, args: codec.encode(args) });
  }
  _toPage(message) {
    if (this.#context === undefined || this.#isGone) return;
    void this._send('Runtime.callFunctionOn', {
      executionContextId: this.#context,
      functionDeclaration: '(text) => __standinReceive(text)',
      arguments: [{ value: JSON.stringify(message) }],
    }).catch(() => {});
  }
  async executeJavaScript(expression) {
    await this._ready;
    if (this.#isCrashed || this.#isGone) throw disposed();
    const options = { expression, awaitPromise: true, returnByValue: true, userGesture: true };
    const renderer = this.#renderer;
    const { result, exceptionDetails } = await this._send('Runtime.evaluate', options).catch((error) => {
      if (renderer === this.#renderer) throw error;
      // A call whose renderer ends never settles.
      return new Promise(() => {});
    });
    if (exceptionDetails) throw new Error(exceptionDetails.exception?.description ?? 'Script failed to execute');
    return result.value;
  }
  async capturePage() {
    const { data } = await this._send('Page.captureScreenshot', {});
    return nativeImage.createFromBuffer(Buffer.from(data, 'base64'));
  }

  setWindowOpenHandler(handler) {
    this._openHandler = handler;
  }
  getLastWebPreferences() {
    const usual = { contextIsolation: true, sandbox: true, nodeIntegration: false, webSecurity: true };
    return { ...usual, nodeIntegrationInSubFrames: false, webviewTag: false, ...this.#preferences };
  }
  /** Stored only: Chromium's page keeps its size. */
  setZoomLevel(level) {
    this.#zoomLevel = level;
  }
  getZoomLevel() {
    return this.#zoomLevel;
  }
  sendInputEvent({ type, keyCode, modifiers = [] }) {
    void this._send('Input.dispatchKeyEvent', keyEvent(type, keyCode, modifiers)).catch(() => {});
  }
  openDevTools() {
    record('webContents.openDevTools');
  }
  getURL() {
    return this.#url;
  }
  getTitle() {
    return this.#title;
  }
  isLoading() {
    return this.#isLoading;
  }
  isCrashed() {
    return this.#isCrashed;
  }
  forcefullyCrashRenderer() {
    void this._ready.then(() => this._send('Page.crash')).catch(() => {});
  }
  isDestroyed() {
    return this.#isGone;
  }
  get mainFrame() {
    const origin = /^([a-z][a-z0-9+.-]*:\/\/[^/]*)/i.exec(this.#url)?.[1] ?? 'null';
    return {
      url: this.#url,
      origin,
      routingId: 1,
      processId: 1,
      parent: null,
      frames: [],
      isDestroyed: () => this.#isGone,
    };
  }
  close() {
    this.#window.close();
  }
  _gone() {
    this.#isGone = true;
    this.#endRenderer();
    contents.delete(this.id);
    this.emit('destroyed');
  }
}
