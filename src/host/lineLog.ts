import type { Log } from '../core/ports.ts';

/** One line an event on stderr: stdout belongs to the start-up line that programs read. */
export const lineLog: Log = (level, message, facts = {}) => {
  const more = Object.entries(facts).map(([name, value]) => ` ${name}=${JSON.stringify(value)}`);
  process.stderr.write(`${new Date().toISOString()} ${level} ${message}${more.join('')}\n`);
};
