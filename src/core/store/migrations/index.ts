import { sql as first } from './0001-first.ts';

/** Every migration in order; the database's `user_version` counts how many it has. One file a migration, never edited once released. */
export const migrations: readonly string[] = [first];
