import { EventEmitter } from 'node:events';
import { isAbsolute } from 'node:path';
import { app } from './app.mjs';
import { chromium } from './chromium.mjs';
import { createEvent, recorder } from './record.mjs';
import { WebContents } from './webContents.mjs';
import { afterLastWindow, contents, windows } from './windows.mjs';

let lastId = 0;

/** A window: a page of Chromium and the state that Electron would store for it. */
export class BrowserWindow extends EventEmitter {
  #state = { visible: true, focused: true, minimized: false, maximized: false, fullScreen: false, onTop: false };
  #isClosed = false;
  #isClosing = false;
  #isPainted = false;
  #title;

  constructor(options = {}) {
    super();
    const preferences = options.webPreferences ?? {};
    if (preferences.preload && !isAbsolute(preferences.preload)) {
      throw new Error(`preload script must have absolute path: ${preferences.preload}`);
    }
    if (preferences.nodeIntegration || preferences.contextIsolation === false || preferences.sandbox === false) {
      throw new Error('The stand-in has only windows with context isolation, a sandbox and no Node.');
    }
    if (!app.isReady()) throw new Error('Cannot create BrowserWindow before app is ready');
    lastId += 1;
    this.id = lastId;
    this._bounds = { x: options.x ?? 0, y: options.y ?? 0, width: options.width ?? 800, height: options.height ?? 600 };
    this.#title = options.title ?? app.getName();
    this.#state.visible = this.#state.focused = options.show !== false;
    this.#state.onTop = options.alwaysOnTop === true;
    return this.#join(preferences);
  }

  #join(preferences) {
    const proxy = recorder('window', this);
    windows.push(proxy);
    this.webContents = recorder('webContents', new WebContents(proxy, preferences));
    contents.set(this.webContents.id, this.webContents);
    queueMicrotask(() => app.emit('browser-window-created', createEvent(), proxy));
    app.emit('web-contents-created', createEvent(), this.webContents);
    return proxy;
  }

  static getAllWindows() {
    return [...windows];
  }
  static getFocusedWindow() {
    return windows.find((window) => window.isFocused()) ?? null;
  }
  static fromId(id) {
    return windows.find((window) => window.id === id) ?? null;
  }
  static fromWebContents({ id }) {
    return windows.find((window) => window.webContents.id === id) ?? null;
  }

  loadURL(address) {
    return this.webContents.loadURL(address);
  }
  reload() {
    this.webContents.reload();
  }
  _painted(title) {
    if (title) {
      const event = createEvent();
      this.emit('page-title-updated', event, title, true);
      if (!event.defaultPrevented) this.#title = title;
    }
    if (this.#isPainted) return;
    this.#isPainted = true;
    this.emit('ready-to-show');
  }

  show() {
    if (this.#isClosed) throw new TypeError('Object has been destroyed');
    const wasVisible = this.#state.visible;
    this.#state.visible = this.#state.focused = true;
    const { _ready, _targetId } = this.webContents;
    void _ready
      .then(() => chromium.send('Target.activateTarget', { targetId: _targetId ?? this.webContents._targetId }))
      .catch(() => {});
    if (!wasVisible) this.emit('show');
    this.emit('focus');
    app.emit('browser-window-focus', createEvent(), this._proxy);
  }
  hide() {
    if (!this.#state.visible) return;
    this.#state.visible = this.#state.focused = false;
    this.emit('hide');
    this.emit('blur');
  }
  focus() {
    this.#state.focused = true;
    this.emit('focus');
  }
  blur() {
    this.#state.focused = false;
    this.emit('blur');
  }
  minimize() {
    this.#state.minimized = true;
    this.emit('minimize');
  }
  restore() {
    this.#state.minimized = false;
    this.emit('restore');
  }
  maximize() {
    this.#state.maximized = true;
    this.emit('maximize');
  }
  unmaximize() {
    this.#state.maximized = false;
    this.emit('unmaximize');
  }
  isVisible() {
    return this.#state.visible;
  }
  isFocused() {
    return this.#state.focused;
  }
  isMinimized() {
    return this.#state.minimized;
  }
  isMaximized() {
    return this.#state.maximized;
  }
  isFullScreen() {
    return this.#state.fullScreen;
  }
  isAlwaysOnTop() {
    return this.#state.onTop;
  }
  setAlwaysOnTop(onTop) {
    this.#state.onTop = onTop;
  }
  isDestroyed() {
    return this.#isClosed;
  }

  getTitle() {
    return this.#title;
  }
  setTitle(title) {
    this.#title = title;
  }
  getBounds() {
    return { ...this._bounds };
  }
  getNormalBounds() {
    return this.getBounds();
  }
  getSize() {
    return [this._bounds.width, this._bounds.height];
  }
  setBounds(bounds) {
    Object.assign(this._bounds, bounds);
    void this.webContents._resize(this._bounds);
    this.emit('resize');
    this.emit('resized');
  }
  setSize(width, height) {
    this.setBounds({ width, height });
  }
  capturePage() {
    return this.webContents.capturePage();
  }

  close() {
    if (this.#isClosed || this.#isClosing) return;
    const event = createEvent();
    this.emit('close', event);
    if (event.defaultPrevented) return afterLastWindow.kept();
    // The window exists until its page has ended: it can still be shown, but closes anyway.
    this.#isClosing = true;
    void this.#closeTarget().then(() => this._gone());
  }
  destroy() {
    if (this.#isClosed) return;
    void this.#closeTarget();
    this._gone();
  }
  async #closeTarget() {
    const page = this.webContents;
    await page._ready.then(() => chromium.send('Target.closeTarget', { targetId: page._targetId })).catch(() => {});
  }
  _gone() {
    if (this.#isClosed) return;
    this.#isClosed = true;
    windows.splice(windows.indexOf(this._proxy), 1);
    this.webContents._gone();
    this.emit('closed');
    if (windows.length === 0) afterLastWindow.run();
  }
}
