import type * as z from 'zod';
import { settingsShape, type Settings, type SettingsChanges } from '../../base/settings.ts';
import type { Db } from '../database.ts';

export type SettingsTable = ReturnType<typeof createSettingsTable>;

export const createSettingsTable = (db: Db) => {
  const get = db.prepare<[string], { value: string }>('select value from settings where name = ?');
  const put = db.prepare(
    'insert into settings (name, value) values (?, ?) on conflict (name) do update set value = excluded.value',
  );
  const remove = db.prepare('delete from settings where name = ?');
  const read = <S extends z.ZodType>(name: string, schema: S): z.output<S> | null => {
    const row = get.get(name);
    if (!row) return null;
    const parsed = schema.safeParse(JSON.parse(row.value));
    return parsed.success ? parsed.data : null;
  };
  return {
    /** Returns null if the value is missing or does not match the schema. */
    read,
    write: (name: string, value: unknown) => void put.run(name, JSON.stringify(value)),
    remove: (name: string) => void remove.run(name),
    settings: (): Settings => read('settings', settingsShape) ?? settingsShape.parse({}),
    change: ({ notify, ...changes }: SettingsChanges): Settings => {
      const before = read('settings', settingsShape) ?? settingsShape.parse({});
      const next = settingsShape.parse({ ...before, ...changes, notify: { ...before.notify, ...notify } });
      put.run('settings', JSON.stringify(next));
      return next;
    },
  };
};
