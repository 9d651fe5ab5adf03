import type { catalogue } from '@dubplate/contract'
import { useSession } from './session.ts'

/** The URL of a preview: the whole song for members, a 30 s clip for visitors. */
export function previewUrl({ mp3, preview_start_seconds }: catalogue.Version): string {
  const key = useSession.getState().profile?.media_key
  if (key) return `${mp3}?k=${encodeURIComponent(key)}`
  // The start of a clip may change: the query makes the browser load it again instead of using its cache.
  return preview_start_seconds ? `${mp3}?s=${preview_start_seconds}` : mp3
}

/** The same picture at another width: every image has the files /images/<key>/96.webp, 320.webp and 640.webp. */
export const imageAt = (image: string, width_px: 96 | 320 | 640) =>
  image.replace(/\/(96|320|640)\.webp/, `/${width_px}.webp`)
