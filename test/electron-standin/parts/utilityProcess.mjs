import { fork } from 'node:child_process';
import { EventEmitter } from 'node:events';
import { constants } from 'node:os';
import { refuseShared } from './refuseShared.mjs';

const beside = (name) => new URL(name, import.meta.url).href;

/** Node processes that identify as Electron and find the port to their parent where Electron puts it. */
export const utilityProcess = {
  fork: (path, args, { env, execArgv = [], stdio = 'ignore' }) => {
    const child = fork(path, args, {
      env,
      execArgv: ['--import', beside('../versions.mjs'), '--import', beside('./parentPort.mjs'), ...execArgv],
      stdio: [stdio, stdio, stdio, 'ipc'],
      serialization: 'advanced',
    });
    child.unref();
    child.channel?.unref();
    const process = Object.assign(new EventEmitter(), {
      pid: child.pid,
      postMessage: (message) => {
        refuseShared(message);
        if (child.connected) child.send(message);
      },
      kill: () => child.kill(),
    });
    child.on('message', (data) => process.emit('message', data));
    child.on('exit', (code, signal) => process.emit('exit', signal === null ? code : constants.signals[signal]));
    return process;
  },
};
