import type { Clock, ServiceTime } from '../base/ports.ts';

export type ServiceClock = {
  /** Notes the `Date` header of an answer that has just arrived. */
  note: (date: unknown) => void;
  /** Returns the time by the service's clock; null if no answer of this run named it. */
  read: () => ServiceTime | null;
};

/**
 * Follows the clock of the service, which a program on this machine cannot set. A service without https can be such a
 * program itself, so its clock does not count.
 */
export const createServiceClock = ({ elapsedMs }: Pick<Clock, 'elapsedMs'>, url: () => string): ServiceClock => {
  let last: { service: string; at: number; atMs: number } | null = null;
  return {
    note: (date) => {
      if (typeof date !== 'string' || !/^https:/i.test(url())) return;
      const at = Date.parse(date);
      if (!Number.isNaN(at)) last = { service: url(), at, atMs: elapsedMs() };
    },
    read: () => last && { service: last.service, at: Math.floor(last.at + elapsedMs() - last.atMs) },
  };
};
