import type { catalogue } from '@dubplate/contract'
import { useSession } from './session.ts'

/** Address of a preview: the whole song for a member, a 30 s clip for a visitor. */
export function previewUrl({ mp3, preview_start_seconds }: catalogue.Version): string {
  const key = useSession.getState().profile?.media_key
  if (key) return `${mp3}?k=${encodeURIComponent(key)}`
  // The start of a clip may be changed: what the browser kept of it is then another one's.
  return preview_start_seconds ? `${mp3}?s=${preview_start_seconds}` : mp3
}

/** The same picture at another width: images stand beside each other as /images/<key>/96.webp, 320.webp and 640.webp. */
export const imageAt = (image: string, width_px: 96 | 320 | 640) =>
  image.replace(/\/(96|320|640)\.webp/, `/${width_px}.webp`)
