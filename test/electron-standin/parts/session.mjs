/* global Request */

import { EventEmitter } from 'node:events';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { app } from './app.mjs';
import { contentTypeOf } from './contentTypes.mjs';
import { record, recorder, standin } from './record.mjs';

class Protocol {
  handlers = new Map();
  registerSchemesAsPrivileged(schemes) {
    if (app.isReady()) throw new Error('protocol.registerSchemesAsPrivileged should be called before app is ready');
    standin.schemes = schemes;
  }
  handle(scheme, handler) {
    if (this.handlers.has(scheme)) throw new Error(`Failed to register protocol: ${scheme}`);
    this.handlers.set(scheme, handler);
  }
  unhandle(scheme) {
    this.handlers.delete(scheme);
  }
  isProtocolHandled(scheme) {
    return this.handlers.has(scheme);
  }
}
export const protocol = new Protocol();

class Session extends EventEmitter {
  protocol = protocol;
  #request = null;
  #check = null;
  setPermissionRequestHandler(handler) {
    this.#request = handler;
  }
  setPermissionCheckHandler(handler) {
    this.#check = handler;
  }
  /**
   * Returns whether the page at an address has a permission. As in Electron, a page without handlers has every
   * permission.
   */
  _permits(contents, permission, address) {
    const [origin = ''] = /^[a-z][a-z0-9+.-]*:\/\/[^/]*/i.exec(address) ?? [];
    const details = { isMainFrame: true, requestingUrl: address };
    let granted = true;
    this.#request?.(contents, permission, (answer) => (granted = answer), details);
    return granted && (this.#check?.(contents, permission, `${origin}/`, details) ?? true);
  }
  getStoragePath() {
    return join(app.getPath('userData'), 'Chromium');
  }
  async clearStorageData() {
    record('session.clearStorageData');
  }
  fetch(...args) {
    return net.fetch(...args);
  }
}
export const defaultSession = recorder('session', new Session());

export const session = {
  get defaultSession() {
    if (!app.isReady()) throw new Error('Session can only be received when app is ready');
    return defaultSession;
  },
  fromPartition: () => defaultSession,
};

const fetchFile = async (url) => {
  const path = fileURLToPath(url);
  const bytes = await readFile(path).catch(() => {
    throw new Error('net::ERR_FILE_NOT_FOUND');
  });
  return new Response(bytes, { headers: { 'content-type': contentTypeOf(path) } });
};

export const net = {
  isOnline: () => true,
  fetch: async (input, init) => {
    const url = typeof input === 'string' || input instanceof URL ? String(input) : input.url;
    const scheme = url.slice(0, url.indexOf(':'));
    if (scheme === 'file') return fetchFile(url);
    const handler = protocol.handlers.get(scheme);
    return handler === undefined ? fetch(input, init) : handler(new Request(url, init));
  },
};
