import { spawn } from 'node:child_process';
import { EventEmitter } from 'node:events';
import { homedir, tmpdir } from 'node:os';
import { isAbsolute, join } from 'node:path';
import { chromium, startChromium } from './chromium.mjs';
import { createEvent, record, recorder, standin } from './record.mjs';
import { takeLock } from './singleInstance.mjs';
import { afterLastWindow, forgetTarget, windows } from './windows.mjs';

const executable = join(import.meta.dirname, '..', 'dist', 'electron');

const switchOf = (name) => process.argv.find((word) => word.startsWith(`--${name}=`))?.slice(name.length + 3);

class App extends EventEmitter {
  isPackaged = false;
  dock = undefined;
  #ready = Promise.withResolvers();
  #isReady = false;
  #isQuitting = false;
  #paths = new Map();
  #switches = new Map();
  #manifest = {};
  #appPath = '';
  #lock = null;

  commandLine = {
    appendSwitch: (name, value) => void this.#switches.set(name, value),
    appendArgument: () => {},
    removeSwitch: (name) => void this.#switches.delete(name),
    hasSwitch: (name) => this.#switches.has(name) || process.argv.includes(`--${name}`) || switchOf(name) !== undefined,
    getSwitchValue: (name) => this.#switches.get(name) ?? switchOf(name) ?? '',
  };

  _boot(appPath, manifest) {
    this.#appPath = appPath;
    this.#manifest = { ...manifest };
    const userData = switchOf('user-data-dir');
    if (userData !== undefined) this.setPath('userData', userData);
  }

  async _start() {
    const switches = [...this.#switches].map(([name, value]) => (value ? `--${name}=${value}` : `--${name}`));
    const address = await startChromium(join(this.getPath('userData'), 'Chromium'), switches);
    chromium.subscribe('', ({ method, params }) => {
      if (method === 'Target.targetDestroyed') forgetTarget(params.targetId);
    });
    process.stderr.write(`\nDevTools listening on ${address}\n`);
    this.#isReady = true;
    this.emit('will-finish-launching');
    this.emit('ready', createEvent(), {});
    this.#ready.resolve();
  }

  whenReady() {
    return this.#ready.promise;
  }
  isReady() {
    return this.#isReady;
  }
  get name() {
    return this.getName();
  }
  getName() {
    return this.#manifest.productName ?? this.#manifest.name ?? 'Electron';
  }
  setName(name) {
    this.#manifest.productName = name;
  }
  getVersion() {
    return this.#manifest.version ?? standin.version;
  }
  getAppPath() {
    return this.#appPath;
  }
  getLocale() {
    return 'en-US';
  }
  getSystemLocale() {
    return 'en-US';
  }
  getPreferredSystemLanguages() {
    return ['en-US'];
  }

  getPath(name) {
    if (this.#paths.has(name)) return this.#paths.get(name);
    const appData = process.env.XDG_CONFIG_HOME ?? join(homedir(), '.config');
    const known = {
      home: homedir(),
      temp: tmpdir(),
      exe: process.execPath,
      appData,
      userData: join(this.#paths.get('appData') ?? appData, this.getName()),
      desktop: join(homedir(), 'Desktop'),
      documents: join(homedir(), 'Documents'),
      downloads: join(homedir(), 'Downloads'),
      pictures: join(homedir(), 'Pictures'),
    };
    if (name === 'sessionData') return this.getPath('userData');
    if (name === 'logs') return join(this.getPath('userData'), 'logs');
    if (!(name in known)) throw new Error(`Failed to get '${name}' path`);
    return known[name];
  }
  setPath(name, path) {
    if (!isAbsolute(path)) throw new Error('Path must be absolute');
    this.#paths.set(name, path);
  }

  requestSingleInstanceLock(data) {
    const second = (...what) => this.emit('second-instance', createEvent(), ...what);
    this.#lock = takeLock(this.getPath('userData'), data, second);
    process.on('exit', () => this.releaseSingleInstanceLock());
    return this.hasSingleInstanceLock();
  }
  hasSingleInstanceLock() {
    return this.#lock !== null;
  }
  releaseSingleInstanceLock() {
    this.#lock?.release();
    this.#lock = null;
  }

  /** Restarts the app after it has ended, by default with the same arguments. */
  relaunch({ args = process.argv.slice(1), execPath = process.execPath } = {}) {
    const program = execPath === process.execPath ? executable : execPath;
    process.once('exit', () => spawn(program, args, { stdio: 'inherit', detached: true }).unref());
  }
  quit() {
    const event = createEvent();
    this.emit('before-quit', event);
    if (event.defaultPrevented) return;
    this.#isQuitting = true;
    for (const window of [...windows]) window.close();
    if (windows.length === 0) this.#finish();
  }
  #finish() {
    const event = createEvent();
    this.emit('will-quit', event);
    if (event.defaultPrevented) this.#isQuitting = false;
    else this.exit(0);
  }
  exit(code = 0) {
    this.emit('quit', createEvent(), code);
    const end = () => process.exit(code);
    if (!chromium.running) return end();
    chromium.send('Browser.close').then(() => setTimeout(end, 50), end);
    setTimeout(end, 1500).unref();
  }
  _windowKept() {
    this.#isQuitting = false;
  }
  _afterLastWindow() {
    if (this.#isQuitting) return this.#finish();
    if (this.listenerCount('window-all-closed') > 0) this.emit('window-all-closed');
    else this.quit();
  }

  setBadgeCount(count) {
    record('app.setBadgeCount', count);
    return true;
  }
}

export const app = recorder('app', new App());
afterLastWindow.run = () => app._afterLastWindow();
afterLastWindow.kept = () => app._windowKept();
