import { EventEmitter } from 'node:events';

export class IpcMain extends EventEmitter {
  _handlers = new Map();
  handle(channel, handler) {
    if (this._handlers.has(channel)) throw new Error(`Attempted to register a second handler for '${channel}'`);
    if (typeof handler !== 'function') {
      throw new TypeError(`Expected handler to be a function, but found type '${typeof handler}'`);
    }
    this._handlers.set(channel, handler);
  }
  handleOnce(channel, handler) {
    this.handle(channel, (...args) => {
      this.removeHandler(channel);
      return handler(...args);
    });
  }
  removeHandler(channel) {
    this._handlers.delete(channel);
  }
}

export const ipcMain = new IpcMain();
