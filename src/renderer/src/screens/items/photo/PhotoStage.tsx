import { useId, useState, type CSSProperties } from 'react';
import type { PhotoView } from '../../../api/types.ts';
import { t } from '../../../i18n/t.ts';
import { CutFrame, percent } from './CutFrame.tsx';
import { filling, gamma, type PhotoDraft } from './photoDraft.ts';
import type { Rect } from './rect.ts';
import { Picture } from '../../../parts/Picture.tsx';
import styles from './photo.module.css';

type Props = { photo: PhotoView; alt: string; draft: PhotoDraft; onPart: ((part: Rect) => void) | null };

/** The picture turned inside its frame: it fills the frame whichever way it stands. */
const pictureStyle = ({ edits }: PhotoView, draft: PhotoDraft, ratio: number, filter: string): CSSProperties => {
  const degrees = draft.straightenDeg - edits.straightenDeg;
  const lies = draft.turns % 2 === 1;
  return {
    width: lies ? percent(1 / ratio) : '100%',
    height: lies ? percent(ratio) : '100%',
    transform: `translate(-50%, -50%) rotate(${draft.turns * 90 + degrees}deg) scale(${filling(degrees, ratio)})`,
    filter,
  };
};

/** The photo, large, as it will be with what is being done to it. */
export const PhotoStage = ({ photo, alt, draft, onPart }: Props) => {
  const filterId = useId();
  const [size, setSize] = useState({ width: photo.width ?? 4, height: photo.height ?? 3 });
  const url = photo.fullUrl ?? photo.thumbUrl;
  if (!url) return <div className={styles.stage}>{t('parts.photos.making')}</div>;
  const upright = size.width / size.height;
  const ratio = draft.turns % 2 === 1 ? 1 / upright : upright;
  const exponent = gamma(photo.edits, draft);
  return (
    <div className={styles.stage}>
      <svg className={styles.unseen} aria-hidden>
        <filter id={filterId} colorInterpolationFilters="sRGB">
          <feComponentTransfer>
            <feFuncR type="gamma" exponent={exponent} />
            <feFuncG type="gamma" exponent={exponent} />
            <feFuncB type="gamma" exponent={exponent} />
          </feComponentTransfer>
        </filter>
      </svg>
      <div className={styles.frame} style={{ aspectRatio: ratio, width: `min(100%, 62vh * ${ratio})` }}>
        <Picture
          src={url}
          alt={alt}
          draggable={false}
          style={pictureStyle(photo, draft, ratio, exponent === 1 ? 'none' : `url(#${CSS.escape(filterId)})`)}
          onLoad={({ currentTarget: { naturalWidth: width, naturalHeight: height } }) => setSize({ width, height })}
        />
        {onPart && <CutFrame part={draft.part} onPart={onPart} />}
      </div>
    </div>
  );
};
