import type { catalogue } from '@dubplate/contract'
import { IconPlayerPauseFilled, IconPlayerPlayFilled } from '@tabler/icons-react'
import { format } from '../format/message.ts'
import { preferredVersion } from '../library/preferredVersion.ts'
import { imageAt } from '../platform/media.ts'
import { currentEntry, playerActions, usePlayer } from '../player/store.ts'
import css from './Matches.module.css'
import * as texts from './texts.ts'

type Props = {
  song: catalogue.Song
  /** The preferred one if it is not known. */
  version: catalogue.Version | undefined
}

/** The cover of a song; plays a version of it. */
export function PlayCover({ song, version }: Props) {
  const playable = version?.available ? version : preferredVersion(song)
  const isCurrent = usePlayer((player) => currentEntry(player)?.version === playable && playable !== undefined)
  const isPlaying = usePlayer((player) => isCurrent && player.playing)
  const toggle = () => {
    if (isCurrent) playerActions.toggle()
    else if (playable) playerActions.play({ song, version: playable })
  }
  return (
    <button
      type="button"
      data-row-play
      className={css.cover}
      disabled={!playable}
      aria-label={format(isPlaying ? texts.pauseSong : texts.playSong, { title: song.title, artist: song.artist })}
      onClick={toggle}
    >
      <img src={imageAt(song.image, 96)} alt="" width={48} height={48} loading="lazy" decoding="async" />
      {isPlaying ? <IconPlayerPauseFilled size={18} /> : <IconPlayerPlayFilled size={18} />}
    </button>
  )
}
