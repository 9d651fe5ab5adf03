import type { catalogue } from '@dubplate/contract'
import { useSession } from './session.ts'

/** Address of a preview: the whole song for a member, a 30 s clip for a visitor. */
export function previewUrl(version: Pick<catalogue.Version, 'mp3'>): string {
  const key = useSession.getState().profile?.media_key
  if (!key) return version.mp3
  return `${version.mp3}${version.mp3.includes('?') ? '&' : '?'}k=${encodeURIComponent(key)}`
}

/** The same picture at another width: images stand beside each other as /images/<key>/96.webp, 320.webp and 640.webp. */
export const imageAt = (image: string, width_px: 96 | 320 | 640) =>
  image.replace(/\/(96|320|640)\.webp/, `/${width_px}.webp`)
