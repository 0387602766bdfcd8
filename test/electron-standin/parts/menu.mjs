import { EventEmitter } from 'node:events';
import { app } from './app.mjs';
import { record } from './record.mjs';
import { windows } from './windows.mjs';

let items = 0;

export class MenuItem {
  constructor(options) {
    items += 1;
    const type = options.submenu ? 'submenu' : 'normal';
    const defaults = {
      type,
      label: options.role ?? '',
      enabled: true,
      visible: true,
      checked: false,
      commandId: items,
    };
    Object.assign(this, defaults, options);
    if (Array.isArray(options.submenu)) this.submenu = Menu.buildFromTemplate(options.submenu);
    this.click = (event = {}, window = windows.find((one) => one.isFocused())) => {
      if (this.enabled === false) return;
      if (this.type === 'checkbox') this.checked = !this.checked;
      options.click?.(this, window, event);
      if (options.role === 'quit') app.quit();
    };
  }
}

export class Menu extends EventEmitter {
  static #ofApp = null;
  items = [];
  static buildFromTemplate(template) {
    const menu = new Menu();
    for (const item of template) menu.append(item instanceof MenuItem ? item : new MenuItem(item));
    return menu;
  }
  static setApplicationMenu(menu) {
    Menu.#ofApp = menu;
  }
  static getApplicationMenu() {
    return Menu.#ofApp;
  }
  append(item) {
    this.items.push(item);
  }
  insert(at, item) {
    this.items.splice(at, 0, item);
  }
  popup(options) {
    record('menu.popup', options);
  }
  getMenuItemById(id) {
    for (const item of this.items) {
      const found = item.id === id ? item : item.submenu?.getMenuItemById(id);
      if (found) return found;
    }
    return null;
  }
}
