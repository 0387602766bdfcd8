import { Socket } from 'node:net';
import { getPriority, setPriority } from 'node:os';
import { createFrameReader, isMessage, writeMessageFrames, type Message } from './frames.ts';

export const channelFd = 3;

type ParentPort = {
  on: (event: 'message', listener: (event: { data: unknown }) => void) => void;
  postMessage: (message: unknown) => void;
};

const findParentPort = (host: object): ParentPort | null =>
  'parentPort' in host && typeof host.parentPort === 'object' ? (host.parentPort as ParentPort | null) : null;

/**
 * The first message of the process. Once the process has sent it, its start counts as successful, even if the process
 * exits later.
 */
export const greeting = 'ready';
/** The exit code after an uncaught error. Node's own exit code 1 can also mean that the process was killed. */
const faultCode = 70;

/** The size of the read buffer. A Linux pipe never contains more bytes than this. */
const pieceBytes = 256 * 1024;

/** This priority leaves enough processor time for windows and the loopback interface but does not slow down photos. */
export const lowPriority = 10;

/**
 * Gives the calling thread the low priority. Only Linux has a priority for each thread, so on other systems nothing
 * changes.
 */
export const lowerThreadPriority = (): void => {
  if (process.platform === 'linux') setPriority(Math.max(lowPriority, getPriority()));
};

type SendMessage = (message: Message) => Promise<void>;

/**
 * Opens the only channel of an isolated process and returns a function that sends messages. The process exits if the
 * parent process ends or sends an invalid message or one above `maxBytes`.
 */
export const openParentChannel = (maxBytes: number, onMessage: (message: Message) => void): SendMessage => {
  try {
    setPriority(Math.max(lowPriority, getPriority()));
  } catch {
    // If the sandbox does not permit a lower priority, the process runs at normal priority.
  }
  process.on('uncaughtException', () => process.exit(faultCode));
  const port = findParentPort(process);
  if (port !== null) {
    port.postMessage({ head: greeting, parts: [] });
    port.on('message', ({ data }) => {
      if (isMessage(data)) onMessage(data);
    });
    return (message) => Promise.resolve(port.postMessage(message));
  }
  const read = createFrameReader(maxBytes, onMessage);
  const onBytesRead = (length: number, buffer: Uint8Array): boolean => {
    read(buffer.subarray(0, length));
    return true;
  };
  const onread = { buffer: Buffer.alloc(pieceBytes), callback: onBytesRead };
  const socket = new Socket({ fd: channelFd, readable: true, writable: true, onread });
  const exitProcess = (): never => process.exit(0);
  socket.on('end', exitProcess).on('close', exitProcess).on('error', exitProcess);
  const sendMessage: SendMessage = (message) => writeMessageFrames(socket, message);
  void sendMessage({ head: greeting, parts: [] });
  return sendMessage;
};
