/** Our entry in a client's settings. */
export type Entry = Record<string, unknown>;

/** How settings of a format are read and changed. What it makes of a text is looked at again before anything is written. */
export type SettingsEditor = {
  /** Throws what is no text of this format. */
  read: (text: string) => unknown;
  /** Puts an entry at a path of two names where none is. */
  add: (text: string, path: string[], entry: Entry) => string;
  remove: (text: string, path: string[]) => string;
};
