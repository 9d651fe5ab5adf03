import { ActionIcon } from '@mantine/core'
import { IconPlayerPauseFilled, IconPlayerPlayFilled, IconX } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import { imageAt } from '../platform/media.ts'
import { Clock } from '../player/Clock.tsx'
import { handleKeyDown } from '../player/keyboard.ts'
import { currentEntry, playerActions, usePlayer } from '../player/store.ts'
import { Waveform } from '../player/Waveform.tsx'
import css from './PreviewPlayer.module.css'
import * as texts from './texts.ts'

/** The player of the back office: opens when a song is played, and stays until it is closed. */
export function PreviewPlayer() {
  const entry = usePlayer(currentEntry)
  const playing = usePlayer((state) => state.playing)
  const error = usePlayer((state) => state.error)
  const [isOpen, setOpen] = useState(playing)
  useEffect(() => usePlayer.subscribe((now, before) => now.playing && !before.playing && setOpen(true)), [])
  if (!isOpen || !entry) return null
  const close = () => {
    if (playing) playerActions.toggle()
    setOpen(false)
  }
  const { song, version } = entry
  return (
    <section className={css.player} aria-label={texts.previewPlayer}>
      <PlayerKeys />
      <ActionIcon
        size={36}
        radius="xl"
        variant="filled"
        aria-label={playing ? texts.pause : texts.play}
        onClick={playerActions.toggle}
      >
        {playing ? <IconPlayerPauseFilled size={17} /> : <IconPlayerPlayFilled size={17} />}
      </ActionIcon>
      <img className={css.cover} src={imageAt(song.image, 320)} alt="" width={36} height={36} />
      <div className={css.song}>
        <Link to="/staff/songs/$entityId" params={{ entityId: song.entity_id }}>
          {song.title}
        </Link>
        <small>{`${song.artist} · ${version.version_label}`}</small>
        {error && <p role="alert">{error}</p>}
      </div>
      <div className={css.wave}>
        <Waveform height_px={36} />
      </div>
      <Clock inline />
      <ActionIcon size={32} aria-label={texts.closePlayer} onClick={close}>
        <IconX size={17} />
      </ActionIcon>
    </section>
  )
}

/** The keys that control the player while it is open. The lists of the back office use the other ones themselves. */
const PLAYER_KEYS = new Set([' ', 'ArrowLeft', 'ArrowRight', 'm'])

function PlayerKeys() {
  useEffect(() => {
    const handlePlayerKey = (event: KeyboardEvent) => PLAYER_KEYS.has(event.key) && handleKeyDown(event)
    addEventListener('keydown', handlePlayerKey)
    return () => removeEventListener('keydown', handlePlayerKey)
  }, [])
  return null
}
