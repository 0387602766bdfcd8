import { EventEmitter } from 'node:events';
import { refuseShared } from './refuseShared.mjs';

const postMessage = (message) => {
  refuseShared(message);
  process.send?.(message);
};
const port = Object.assign(new EventEmitter(), { postMessage });
process.on('message', (data) => port.emit('message', { data }));
process.on('disconnect', () => process.exit());
process.parentPort = port;
