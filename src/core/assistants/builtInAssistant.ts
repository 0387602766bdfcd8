import * as z from 'zod';
import type { Asker } from '../base/request.ts';
import type { Db } from '../storage/database.ts';
import type { SettingsTable } from '../storage/tables/settingsTable.ts';
import type { Assistants } from './assistants.ts';

type Parts = {
  db: Db;
  settings: SettingsTable;
  /** The account that is connected now, or null. */
  account: () => string | null;
  assistants: Pick<Assistants, 'letIn' | 'asker'>;
};

const settingOf = (account: string): string => `built-in assistant of ${account}`;

/**
 * The assistant that comes with the program: the host speaks for it, nobody holds its token, and the person limits, pauses
 * and revokes it like any other. An account gets it once; who sent it away does not get it again.
 */
export const createBuiltInAssistant = ({ db, settings, account, assistants }: Parts) => {
  const id = (): string | null => {
    const now = account();
    return now === null ? null : settings.read(settingOf(now), z.string());
  };
  return {
    /** Lets it in for the connected account, unless it was let in before. */
    letIn: (name: string): void => {
      const now = account();
      if (now === null || id() !== null) return;
      db.transaction(() => settings.write(settingOf(now), assistants.letIn(name).assistantId))();
    },
    /** The one of the connected account, also while it is paused or gone; null where there never was one. */
    id,
    /** As the one who makes a request now; null while it is paused, and when it is gone. */
    asker: (): (Asker & { kind: 'assistant' }) | null => {
      const known = id();
      return known === null ? null : assistants.asker(known);
    },
    is: (by: Asker): boolean => by.kind === 'assistant' && by.assistantId === id(),
  };
};
