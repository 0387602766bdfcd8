import { readFileSync } from 'node:fs';
import { pathToFileURL } from 'node:url';
import { Script } from 'node:vm';
import { makeCodec } from '../codec.mjs';
import { isolatedWorld } from '../page/isolatedWorld.mjs';
import { mainWorld } from '../page/mainWorld.mjs';

/** The name of the preload's isolated world. */
export const worldName = 'Electron Isolated Context';

/** The page pauses in this function, which Node finds by its name; Node reads `call` and writes its answer. */
const pause = 'function __standinSync(call) { debugger; return call.answer; }';

/** A sandboxed preload must be a script. Like in Electron, a module fails to parse in the page. */
const readPreload = (path) => {
  try {
    const source = readFileSync(path, 'utf8');
    new Script(`(function(){${source}\n})`);
    return source;
  } catch (error) {
    return `throw new Error(${JSON.stringify(String(error))})`;
  }
};

/**
 * The two scripts that run in each page before its own scripts: the page's side of the bridge, and the preload's world.
 */
export const pageScripts = ({ preload, additionalArguments = [] }, token) => {
  const info = {
    platform: process.platform,
    arch: process.arch,
    versions: { ...process.versions },
    argv: [process.execPath, ...additionalArguments],
    env: {},
  };
  const run = `function(require,module,exports,process,global){${readPreload(preload)}\n}`;
  const args = [JSON.stringify(token), JSON.stringify(info), run, String(makeCodec), pause];
  return [
    { source: `(${mainWorld})(${JSON.stringify(token)})` },
    { worldName, source: `(${isolatedWorld})(${args.join(',')})\n//# sourceURL=${pathToFileURL(preload)}` },
  ];
};
