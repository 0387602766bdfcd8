import { contextBridge, ipcRenderer, webUtils } from 'electron';
import type { CompanionWindow } from '../ipc/calls.ts';

const companion: CompanionWindow = {
  host: 'electron',
  base: '',
  call: (name, input, proofId) => ipcRenderer.invoke('companion:call', name, input, proofId) as Promise<string>,
  onChanged: (listener) => {
    const onTopic = (_event: unknown, topic: string): void => listener(topic);
    ipcRenderer.on('companion:changed', onTopic);
    // `removeListener` returns ipcRenderer, and the page must never get ipcRenderer.
    return () => void ipcRenderer.removeListener('companion:changed', onTopic);
  },
  pathOf: (file) => webUtils.getPathForFile(file),
};
contextBridge.exposeInMainWorld('companion', companion);
