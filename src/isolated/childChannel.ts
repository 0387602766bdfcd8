import { Socket } from 'node:net';
import { getPriority, setPriority } from 'node:os';
import { createFrameReader, writeMessage, type Message } from './frames.ts';

/** Where the pipe to whoever started this process lies. */
export const channelFd = 3;

/** The end of the channel that Electron gives its utility processes. */
type ParentPort = {
  on: (event: 'message', listener: (event: { data: unknown }) => void) => void;
  postMessage: (message: unknown) => void;
};

const parentPortOf = (host: object): ParentPort | null =>
  'parentPort' in host && typeof host.parentPort === 'object' ? (host.parentPort as ParentPort | null) : null;

/** A message as it comes through a port of Electron, which copies objects and bytes itself. */
const isMessage = (data: unknown): data is Message =>
  typeof data === 'object' && data !== null && 'head' in data && 'parts' in data && Array.isArray(data.parts);

/** What the process says first: from then on, what ends it is somebody else or what it is asked. */
export const greeting = 'ready';
/** How it ends by a fault of its own. Node's own code for that is told by others for an end by force. */
const faultCode = 70;

/** Read into at a time: what a pipe holds at most on Linux. A new buffer for every piece costs more than its copy. */
const pieceBytes = 256 * 1024;

/** Nice enough to leave the processor to windows and the loopback interface; photos are no slower by it. */
export const lowPriority = 10;

type Send = (message: Message) => Promise<void>;

/**
 * Opens the channel of an isolated process to whoever started it: the only way in and out. The process ends when the other
 * side does, and when what comes is no message of at most `mostBytes`. What it answers sends a message, and resolves once
 * nothing reads the bytes of that any more.
 */
export const openChannel = (mostBytes: number, onMessage: (message: Message) => void): Send => {
  try {
    setPriority(Math.max(lowPriority, getPriority()));
  } catch {
    // Not allowed here (a sandbox): the work is then done at normal priority.
  }
  process.on('uncaughtException', () => process.exit(faultCode));
  const port = parentPortOf(process);
  if (port !== null) {
    port.postMessage({ head: greeting, parts: [] });
    port.on('message', ({ data }) => {
      if (isMessage(data)) onMessage(data);
    });
    return (message) => Promise.resolve(port.postMessage(message));
  }
  const read = createFrameReader(mostBytes, onMessage);
  const onPiece = (length: number, buffer: Uint8Array): boolean => {
    read(buffer.subarray(0, length));
    return true;
  };
  const onread = { buffer: Buffer.alloc(pieceBytes), callback: onPiece };
  const socket = new Socket({ fd: channelFd, readable: true, writable: true, onread });
  const end = (): never => process.exit(0);
  socket.on('end', end).on('close', end).on('error', end);
  const send: Send = (message) => writeMessage(socket, message);
  void send({ head: greeting, parts: [] });
  return send;
};
