import type { playlists } from '@dubplate/contract'

let lastId = 0

/** A playlist of the member, with no songs. */
export const makePlaylist = (part: Partial<playlists.Playlist> = {}): playlists.Playlist => ({
  playlist_id: ++lastId,
  title: `Playlist ${lastId}`,
  song_count: 0,
  duration_seconds: 0,
  images: [],
  public: false,
  mine: true,
  changed_at: '2026-11-20T10:00:00Z',
  ...part,
})
