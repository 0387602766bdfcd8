import { defaultDataDir } from '../../host/options.ts';
import { openBridge } from '../bridge.ts';
import { serveTools } from './serveTools.ts';

// The bundle for desktop clients begins here: the tools alone, for the companion in its usual place.
const bridge = openBridge({ dataDir: defaultDataDir(), ownData: false, keychain: 'system', env: process.env });
await serveTools(bridge, null, (line) => process.stderr.write(`${line}\n`));
