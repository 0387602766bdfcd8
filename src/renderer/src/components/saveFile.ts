type Made = { name: string; type: string; text: string };

/** Hands a text to the browser as a download. */
export const saveFile = ({ name, type, text }: Made): void => {
  const url = URL.createObjectURL(new Blob([text], { type }));
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
  // The download has its own hold on the bytes once it has begun.
  setTimeout(() => URL.revokeObjectURL(url), 10_000);
};
