import { IconDeviceLaptop } from '@tabler/icons-react'
import css from './OwnedMark.module.css'
import { useOwned } from './owned.ts'
import * as texts from './texts.ts'

type Props = { songId: number; versionId?: undefined } | { versionId: number; songId?: undefined }

/** Marks a song, or one version of it, that is in the member's DJ library. */
export function OwnedMark({ songId, versionId }: Props) {
  const isOwned = useOwned(({ songs, versions }) =>
    songId === undefined ? versions.has(versionId ?? 0) : songs.has(songId),
  )
  if (!isOwned) return null
  return (
    <span className={css.mark} role="img" aria-label={texts.inYourDjLibrary} title={texts.inYourDjLibrary}>
      <IconDeviceLaptop size={13} stroke={1.9} aria-hidden />
    </span>
  )
}
