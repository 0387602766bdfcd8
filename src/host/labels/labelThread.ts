import { readFile } from 'node:fs/promises';
import { parentPort } from 'node:worker_threads';
import {
  createLabelsPdf,
  layOutLabel,
  openTypefaces,
  type Label,
  type LabelJob,
  type LabelLayout,
} from '../../core/shelf/labels.ts';
import type { LabelSheet } from '../../contract/labelSheets.ts';

/** The entry module of the thread that makes labels, so that 500 of them do not block the companion. */
export type LabelTask = { kind: 'pdf'; job: LabelJob } | { kind: 'layout'; label: Label; size: LabelSheet['label'] };
export type ToLabelThread = { id: number; task: LabelTask };
export type FromLabelThread = { id: number; result: Uint8Array<ArrayBuffer> | LabelLayout };

const port = parentPort;
if (!port) throw new Error('This file runs as a worker thread only.');

const regularFile = import.meta
  .resolve('@expo-google-fonts/roboto-condensed/400Regular/RobotoCondensed_400Regular.ttf');
const boldFile = import.meta.resolve('@expo-google-fonts/roboto-condensed/700Bold/RobotoCondensed_700Bold.ttf');
const readFonts = async () => {
  const [regular, bold] = await Promise.all([readFile(new URL(regularFile)), readFile(new URL(boldFile))]);
  return { fonts: { regular, bold }, faces: openTypefaces({ regular, bold }) };
};
const loading = readFonts();

const runTask = async (task: LabelTask): Promise<FromLabelThread['result']> => {
  const { fonts, faces } = await loading;
  return task.kind === 'layout'
    ? layOutLabel(task.label, task.size, faces)
    : new Uint8Array(await createLabelsPdf(task.job, fonts));
};

port.on('message', ({ id, task }: ToLabelThread) => {
  void runTask(task).then((result) => {
    const message: FromLabelThread = { id, result };
    port.postMessage(message, result instanceof Uint8Array ? [result.buffer] : []);
  });
});
