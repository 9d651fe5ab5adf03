import type { catalogue } from '@dubplate/contract'
import { player } from '@dubplate/contract'
import { useEffect } from 'react'
import { preferredVersion } from '../library/preferredVersion.ts'
import { imageAt } from '../platform/media.ts'
import { apiQuery, queryClient } from '../platform/queries.ts'
import { startOf } from '../player/audio.ts'
import { preload, preloadAt } from '../player/preload.ts'
import { currentEntry, playerActions, setChooser, usePlayer } from '../player/store.ts'
import { useLatest } from '../ui/useLatest.ts'
import { type DigSong, idOf } from './digState.ts'

/** The songs whose previews are loaded ahead. */
const LOADED_AHEAD = 3

export const structureOf = ({ structure }: DigSong, { song_version_id }: catalogue.Version) =>
  structure.find((each) => each.song_version_id === song_version_id)

/** The version that is played first. */
export const firstVersion = ({ song }: DigSong): catalogue.Version | undefined =>
  preferredVersion(song) ?? song.version[0]

/** The second at which a version starts: its drop, or where its preview starts. */
const startSecond = (song: DigSong, version: catalogue.Version): number =>
  structureOf(song, version)?.drop_seconds ?? startOf(version)

export function playFromDrop(song: DigSong, version: catalogue.Version, source: string) {
  const entry = { song: song.song, version }
  playerActions.play(entry, { list: [entry], source, at: startSecond(song, version) })
}

type Playback = { songs: DigSong[]; version: catalogue.Version | undefined; source: string; isDone: boolean }

/** Plays the first song from its drop as soon as it changes, and loads the following ones ahead. */
export function useDigPlayback({ songs, version, source, isDone }: Playback) {
  const [current] = songs
  const latest = useLatest({ current, version, source })
  const songId = current && idOf(current)
  const versionId = version?.song_version_id
  useEffect(() => {
    const { current, version, source } = latest.current
    if (songId !== undefined && versionId !== undefined && current && version) playFromDrop(current, version, source)
  }, [latest, songId, versionId])
  useEffect(() => {
    if (isDone && usePlayer.getState().playing) playerActions.toggle()
  }, [isDone])
  const ahead = songs.slice(1, LOADED_AHEAD + 1)
  const latestAhead = useLatest(ahead)
  const aheadIds = ahead.map(idOf).join()
  useEffect(() => {
    if (aheadIds) for (const [i, song] of latestAhead.current.entries()) loadAhead(song, { isNext: i === 0 })
  }, [latestAhead, aheadIds])
}

function loadAhead(song: DigSong, { isNext }: { isNext: boolean }) {
  const version = firstVersion(song)
  new Image().src = imageAt(song.song.image, 640)
  if (!version) return
  const load = isNext ? preload : preloadAt
  void load({ song: song.song, version }, startSecond(song, version))
  void queryClient.prefetchQuery(apiQuery(player.getBeatGrid, { song_version_id: version.song_version_id }))
}

/** Media keys and the player's own shortcuts skip and undo while the screen is open. */
export function usePlayerChooser(next: () => void, previous: () => void) {
  const latest = useLatest({ next, previous })
  useEffect(() => {
    setChooser({ next: () => latest.current.next(), previous: () => latest.current.previous() })
    return () => setChooser(undefined)
  }, [latest])
}

/** Whether the player plays this song. */
export const useIsPlaying = (songId: number) =>
  usePlayer((state) => state.playing && currentEntry(state)?.song.entity_id === songId)
