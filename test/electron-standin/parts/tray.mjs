import { EventEmitter } from 'node:events';
import { standin } from './record.mjs';

/** A tray that is only remembered: tests read its label and click in its menu. */
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
  /** As on Linux, which does not tell where the picture is. */
  getBounds() {
    return { x: 0, y: 0, width: 0, height: 0 };
  }
}
