import { randomUUID } from 'node:crypto';
import { EventEmitter } from 'node:events';
import { createEvent, record, standin } from './record.mjs';

/** A notification that is only recorded: specs read it and emit its clicks. */
export class Notification extends EventEmitter {
  constructor(options = {}) {
    super();
    const defaults = { title: '', subtitle: '', body: '', actions: [], silent: false, urgency: 'normal' };
    Object.assign(this, defaults, { id: randomUUID() }, options);
  }
  /** False, unless a spec replaces this function. */
  static isSupported() {
    return false;
  }
  show() {
    record('Notification.show', { title: this.title, body: this.body, actions: this.actions });
    standin.notifications.push(this);
    queueMicrotask(() => this.emit('show', createEvent()));
  }
  close() {
    this.emit('close', createEvent());
  }
}
