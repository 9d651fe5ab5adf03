import { imageAt } from '../../platform/media.ts'
import type { Song } from './songActions.ts'

type Props = { song: Pick<Song, 'image'>; size_px: number }

/** The cover of a song. The generated cover of an unpublished song cannot be loaded. */
export const CoverImage = ({ song, size_px }: Props) => (
  <img
    src={imageAt(song.image, size_px > 48 ? 320 : 96)}
    alt=""
    width={size_px}
    height={size_px}
    loading="lazy"
    style={{ borderRadius: 'var(--r-sm)' }}
    onError={({ currentTarget }) => {
      currentTarget.style.visibility = 'hidden'
    }}
  />
)
