import { review, type uploadedSongs } from '@dubplate/contract'
import { ActionIcon } from '@mantine/core'
import { IconPlayerPauseFilled, IconPlayerPlayFilled } from '@tabler/icons-react'
import { format } from '../../format/message.ts'
import { apiQuery, queryClient, useApiQuery } from '../../platform/queries.ts'
import { toastError } from '../../ui/toast.ts'
import { pausePreview, playPreview, usePreview } from '../../uploads/preview.ts'
import { loadedUpload } from './decideUploads.ts'
import * as texts from './texts.ts'

type Song = Pick<review.ReviewedUpload, 'entity_id' | 'title'>

/** The start of a version's preview, in seconds. */
export const previewStartOf = ({ start_min, start_sec }: uploadedSongs.Slot): number => start_min * 60 + start_sec

const isPlayingOne = (upload: review.ReviewedSong | undefined, playing: number | undefined) =>
  upload?.versions.some(({ file }) => file.upload_id === playing) ?? false

/** Plays the first playable version of a song from its preview start; pauses it if the song is already playing. */
export async function togglePlay({ entity_id, title }: Song): Promise<void> {
  const { isPlaying, upload_id } = usePreview.getState()
  if (isPlaying && isPlayingOne(loadedUpload(entity_id), upload_id)) return pausePreview()
  try {
    const { versions } = await queryClient.ensureQueryData(apiQuery(review.getUpload, { entity_id }))
    const first = versions.find(({ file }) => file.mp3)
    if (!first) throw new Error(texts.noPlayableFileYetThe)
    playPreview(first.file, previewStartOf(first))
  } catch (error) {
    void toastError(format(texts.couldntPlay, { title }), error)
  }
}

export function PlayUpload({ song }: { song: Song }) {
  const playing = usePreview(({ isPlaying, upload_id }) => (isPlaying ? upload_id : undefined))
  const { data } = useApiQuery(review.getUpload, { entity_id: song.entity_id }, { enabled: false })
  const isPlaying = isPlayingOne(data, playing)
  return (
    <ActionIcon
      radius="xl"
      variant="default"
      aria-label={format(isPlaying ? texts.pauseSongLabel : texts.playSongLabel, { title: song.title })}
      onClick={() => void togglePlay(song)}
    >
      {isPlaying ? <IconPlayerPauseFilled size={16} /> : <IconPlayerPlayFilled size={16} />}
    </ActionIcon>
  )
}
