import { type catalogue, playlists } from '@dubplate/contract'
import { errorReply, fakeApi } from './fakeApi.ts'
import { makePlaylist, pagePlaylists } from './samples.ts'

/**
 * A playlist of the fake API for tests of its screen: it keeps its order through moves, removals and additions like the
 * server (server/src/library/playlists.test.ts).
 */
export function fakePlaylist(title: string, songs: catalogue.Song[], overrides: Partial<playlists.Playlist> = {}) {
  const first = makePlaylist({ title, ...overrides })
  const state = { title, isDeleted: false, songIds: songs.map(({ entity_id }) => entity_id) }
  const current = () => ({ ...first, title: state.title, song_count: state.songIds.length })
  const songsInOrder = () => state.songIds.map((id) => songs.find(({ entity_id }) => entity_id === id)!)

  fakeApi.reply(playlists.getPlaylists, (input) => pagePlaylists(state.isDeleted ? [] : [current()], input))
  fakeApi.reply(playlists.viewPlaylist, () => {
    if (state.isDeleted)
      throw errorReply({ code: 'unknown_playlist', message: 'There is no such playlist.', status: 404 })
    return {
      playlist: current(),
      songs: songsInOrder(),
      song_ids: state.songIds,
      pagination: { page: 1, perPageLimit: playlists.PLAYLIST_SONGS_PER_PAGE, totalCount: state.songIds.length },
    }
  })
  fakeApi.reply(playlists.reorderPlaylist, ({ song_id, position }) => {
    const rest = state.songIds.filter((id) => id !== song_id)
    state.songIds = rest.toSpliced(Number(position) - 1, 0, Number(song_id))
    return { song_ids: state.songIds }
  })
  fakeApi.reply(playlists.changePlaylistSongs, ({ song_ids, action, position }) => {
    const ids = song_ids.map(Number)
    const at = position === undefined ? state.songIds.length : Number(position) - 1
    state.songIds =
      action === 'remove' ? state.songIds.filter((id) => !ids.includes(id)) : state.songIds.toSpliced(at, 0, ...ids)
    return { playlist: current(), changed: ids.length }
  })
  fakeApi.reply(playlists.deletePlaylist, () => {
    state.isDeleted = true
    return {}
  })
  fakeApi.reply(playlists.restorePlaylist, () => {
    state.isDeleted = false
    return { playlist: current() }
  })
  return {
    id: first.playlist_id,
    /** The titles of the songs on the fake server. */
    savedTitles: () => songsInOrder().map(({ title }) => title),
  }
}
