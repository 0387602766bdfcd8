import { abortable } from '../../base/abortable.ts';

type Flight = { answer: Promise<unknown>; waiting: number; over: AbortController };

/**
 * One request for all who want the same at the same time. Who hangs up leaves the others their answer; when the last
 * one has left, the request is given up.
 */
export const createSharedReads = () => {
  const flights = new Map<string, Flight>();

  const take = (key: string, send: (signal: AbortSignal) => Promise<unknown>): Flight => {
    const over = new AbortController();
    const flight: Flight = { over, waiting: 0, answer: send(over.signal) };
    flights.set(key, flight);
    const land = (): void => {
      if (flights.get(key) === flight) flights.delete(key);
    };
    flight.answer.then(land, land);
    return flight;
  };

  const board = async <T>(key: string, flight: Flight, signal: AbortSignal | undefined): Promise<T> => {
    flight.waiting += 1;
    try {
      return (await abortable(flight.answer, signal)) as T;
    } finally {
      flight.waiting -= 1;
      if (flight.waiting === 0) {
        flight.over.abort();
        if (flights.get(key) === flight) flights.delete(key);
      }
    }
  };

  return {
    /** Makes the request of that key, or joins the one that is under way. Rejects with the signal's reason. */
    read: async <T>(
      key: string,
      send: (signal: AbortSignal) => Promise<T>,
      signal: AbortSignal | undefined,
    ): Promise<T> => {
      signal?.throwIfAborted();
      return board<T>(key, flights.get(key) ?? take(key, send), signal);
    },
    /** Joins the request of that key that is under way; null when there is none. */
    join: <T>(key: string, signal: AbortSignal | undefined): Promise<T> | null => {
      const flight = flights.get(key);
      return flight ? board<T>(key, flight, signal) : null;
    },
    /** Whoever comes from now on gets an answer of its own: what is under way may be older than what was written. */
    part: (): void => flights.clear(),
  };
};
