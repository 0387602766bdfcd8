import { failpointsAround } from '../base/failpoints.ts';

const write = /^\s*(insert into|update|delete from)\s+(\w+)\s*(.*)/is;

/** What a statement writes, without its values: `update items set step, stop`. Null for one that only reads. */
const nameOf = (sql: string): string | null => {
  if (/^pragma user_version = /i.test(sql)) return `migration ${sql.split('= ')[1]}`;
  const found = write.exec(sql.replaceAll(/'(?:[^']|'')*'/g, '?'));
  if (!found) return null;
  const [, verb = '', table = '', rest = ''] = found;
  if (verb.toLowerCase() !== 'update') return `${verb.toLowerCase()} ${table}`;
  const columns = [...rest.replace(/\swhere\s.*/is, '').matchAll(/(\w+)\s*=/g)].map(([, column]) => column);
  return ['update', table, ...new Set(columns)].join(' ');
};

/**
 * Listens to every statement of a database and names the moments around what it writes: around each write that stands
 * alone, and around the end of each transaction.
 */
export const failpointsOfWrites = (): ((sql: unknown) => void) => {
  let together: Set<string> | null = null;
  return (sql) => {
    if (typeof sql !== 'string') return;
    if (/^begin/i.test(sql)) together = new Set();
    else if (/^rollback$/i.test(sql)) together = null;
    else if (/^commit$/i.test(sql)) {
      if (together && together.size > 0) failpointsAround([...together].join(' + '));
      together = null;
    } else {
      const name = nameOf(sql);
      if (name === null) return;
      if (together) together.add(name);
      else failpointsAround(name);
    }
  };
};
