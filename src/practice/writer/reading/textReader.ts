import { createRequire } from 'node:module';
import { readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { OEM, type Page, type PSM } from 'tesseract.js';

/** What the library's own thread is made of, as far as it is used here. */
type WorkerScript = {
  setAdapter: (adapter: Readonly<Record<string, unknown>>) => void;
  dispatchHandlers: (
    packet: { workerId: string; jobId: string; action: string; payload: unknown },
    send: (reply: { status: 'resolve' | 'reject' | 'progress'; data: unknown }) => void,
  ) => void;
};

const load = createRequire(import.meta.url);

// The library would run this in a thread of its own, which Node's permissions do not hold and which may not be started
// here: it runs in the thread that reads the photo, which waits for it anyway.
const script = load('tesseract.js/src/worker-script/index.js') as WorkerScript;
script.setAdapter({
  getCore: load('tesseract.js/src/worker-script/node/getCore.js') as unknown,
  gunzip: load('tesseract.js/src/worker-script/node/gunzip.js') as unknown,
  // The only file that it reads is that of the language.
  readCache: readFile,
});

let lastJob = 0;

const ask = (action: string, payload: unknown): Promise<unknown> =>
  new Promise((resolve, reject) => {
    script.dispatchHandlers(
      { workerId: 'text', jobId: String((lastJob += 1)), action, payload },
      ({ status, data }) => {
        if (status === 'resolve') resolve(data);
        if (status === 'reject') reject(new Error(String(data)));
      },
    );
  });

// Language data comes from its package; nothing is fetched and nothing is written.
const start = async (): Promise<void> => {
  const langPath = join(dirname(load.resolve('@tesseract.js-data/eng/package.json')), '4.0.0_best_int');
  await ask('load', { options: { lstmOnly: true } });
  await ask('loadLanguage', { langs: ['eng'], options: { langPath, gzip: true, cacheMethod: 'none' } });
  await ask('initialize', { langs: ['eng'], oem: OEM.LSTM_ONLY });
  // A stated resolution spares the reader a guess; its remarks are of no use to anybody.
  await ask('setParameters', { params: { user_defined_dpi: '300', debug_file: '/dev/null' } });
};

let started: Promise<void> | undefined;

/** What stands in a picture file, laid out as `layout` says. One at a time. */
export const recognizePage = async (file: Uint8Array, layout: PSM): Promise<Page> => {
  await (started ??= start());
  await ask('setParameters', { params: { tessedit_pageseg_mode: layout } });
  return (await ask('recognize', { image: file, options: {}, output: { blocks: true, text: false } })) as Page;
};
