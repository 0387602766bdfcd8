import { readFileSync } from 'node:fs';

const pngSignature = 0x89504e47;

/** An image with its original bytes; it can read the size of a PNG. */
class NativeImage {
  #bytes;
  constructor(bytes = Buffer.alloc(0)) {
    this.#bytes = bytes;
  }
  isEmpty() {
    return this.#bytes.length === 0;
  }
  getSize() {
    const isPng = this.#bytes.length > 24 && this.#bytes.readUInt32BE(0) === pngSignature;
    return isPng
      ? { width: this.#bytes.readUInt32BE(16), height: this.#bytes.readUInt32BE(20) }
      : { width: 0, height: 0 };
  }
  toPNG() {
    return this.#bytes;
  }
  toDataURL() {
    return `data:image/png;base64,${this.#bytes.toString('base64')}`;
  }
  resize() {
    return this;
  }
  setTemplateImage() {}
  isTemplateImage() {
    return false;
  }
}

export const nativeImage = {
  createEmpty: () => new NativeImage(),
  createFromBuffer: (bytes) => new NativeImage(Buffer.from(bytes)),
  createFromDataURL: (url) => new NativeImage(Buffer.from(url.slice(url.indexOf(',') + 1), 'base64')),
  createFromPath: (path) => {
    try {
      return new NativeImage(readFileSync(path));
    } catch {
      return new NativeImage();
    }
  },
};
