const type = 'application/x-companion-photos';

/** What is being dragged: photos of this window. Another window's drag has the type, too, but no such photos. */
export const dragPhotos = (event: React.DragEvent, photoIds: readonly string[]): void => {
  event.dataTransfer.setData(type, JSON.stringify(photoIds));
  event.dataTransfer.effectAllowed = 'move';
};

const read = (event: React.DragEvent): string[] => {
  try {
    const given: unknown = JSON.parse(event.dataTransfer.getData(type));
    return Array.isArray(given) ? given.filter((one) => typeof one === 'string') : [];
  } catch {
    return [];
  }
};

/** What makes something take photos that are dropped on it. */
export const takesPhotos = (onDrop: (photoIds: string[]) => void) => ({
  onDragOver: (event: React.DragEvent): void => {
    if (event.dataTransfer.types.includes(type)) event.preventDefault();
  },
  onDrop: (event: React.DragEvent): void => {
    const photoIds = read(event);
    if (photoIds.length === 0) return;
    event.preventDefault();
    event.stopPropagation();
    onDrop(photoIds);
  },
});
