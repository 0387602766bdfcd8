import { Socket } from 'node:net';
import { getPriority, setPriority } from 'node:os';
import { createFrameReader, writeMessageFrames, type Message } from './frames.ts';

/** The file descriptor of the pipe to the parent process. */
export const channelFd = 3;

type ParentPort = {
  on: (event: 'message', listener: (event: { data: unknown }) => void) => void;
  postMessage: (message: unknown) => void;
};

const readParentPort = (host: object): ParentPort | null =>
  'parentPort' in host && typeof host.parentPort === 'object' ? (host.parentPort as ParentPort | null) : null;

/** Whether data from an Electron port is a message; Electron copies its objects and bytes. */
const isPortMessage = (data: unknown): data is Message =>
  typeof data === 'object' && data !== null && 'head' in data && 'parts' in data && Array.isArray(data.parts);

/** The first message of the process. After it, exit codes do not come from a failed start. */
export const greeting = 'ready';
/** The exit code after an uncaught error. Node's own code 1 is also reported for a forced end. */
const faultCode = 70;

/** The read buffer size: the maximum that a Linux pipe holds. Allocating a buffer per piece costs more than a copy. */
const pieceBytes = 256 * 1024;

/** Low enough to leave the processor to windows and the loopback interface, without slowing down photos. */
export const lowPriority = 10;

type SendMessage = (message: Message) => Promise<void>;

/**
 * Opens the channel of an isolated process to its parent, its only input and output. The process exits when the parent
 * does, or when it receives an invalid message or one larger than `maxBytes`. Returns a function that sends a message
 * and resolves once its bytes are no longer read.
 */
export const openParentChannel = (maxBytes: number, onMessage: (message: Message) => void): SendMessage => {
  try {
    setPriority(Math.max(lowPriority, getPriority()));
  } catch {
    // The sandbox does not permit it; the process then runs at normal priority.
  }
  process.on('uncaughtException', () => process.exit(faultCode));
  const port = readParentPort(process);
  if (port !== null) {
    port.postMessage({ head: greeting, parts: [] });
    port.on('message', ({ data }) => {
      if (isPortMessage(data)) onMessage(data);
    });
    return (message) => Promise.resolve(port.postMessage(message));
  }
  const read = createFrameReader(maxBytes, onMessage);
  const onPiece = (length: number, buffer: Uint8Array): boolean => {
    read(buffer.subarray(0, length));
    return true;
  };
  const onread = { buffer: Buffer.alloc(pieceBytes), callback: onPiece };
  const socket = new Socket({ fd: channelFd, readable: true, writable: true, onread });
  const exitProcess = (): never => process.exit(0);
  socket.on('end', exitProcess).on('close', exitProcess).on('error', exitProcess);
  const sendMessage: SendMessage = (message) => writeMessageFrames(socket, message);
  void sendMessage({ head: greeting, parts: [] });
  return sendMessage;
};
