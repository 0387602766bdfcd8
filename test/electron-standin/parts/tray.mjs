import { EventEmitter } from 'node:events';
import { standin } from './record.mjs';

/** A tray that is only recorded: specs read its label and click its menu. */
export class Tray extends EventEmitter {
  #isDestroyed = false;
  constructor(image) {
    super();
    this.image = image;
    standin.trays.push(this);
  }
  setImage(image) {
    this.image = image;
  }
  setToolTip(text) {
    this.toolTip = text;
  }
  setTitle(text) {
    this.title = text;
  }
  setContextMenu(menu) {
    this.menu = menu;
  }
  destroy() {
    this.#isDestroyed = true;
  }
  isDestroyed() {
    return this.#isDestroyed;
  }
  /** As on Linux, which does not report the tray's position. */
  getBounds() {
    return { x: 0, y: 0, width: 0, height: 0 };
  }
}
