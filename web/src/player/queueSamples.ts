import type { Entry } from './queue.ts'

/** An entry whose version, and by default song, has this id. */
export const makeEntry = (id: number, { song = id, available = true, start = 0 } = {}): Entry => {
  const version = {
    song_version_id: id,
    version_label: 'Intro Clean',
    version_code: 'IC',
    mp3: `/previews/${id}.mp3`,
    peaks: `/peaks/${id}`,
    download: [0, 0],
    file_name: `${id}.mp3`,
    uploaded_mp3_name: `${id}.mp3`,
    duration_seconds: 200,
    preview_start_seconds: start,
    loudness_lufs: null,
    bytes: null,
    available,
    ...{ bpm: 124, bpm_to: null, song_key: 'Am' },
  }
  return {
    song: {
      entity_id: song,
      title: `Song ${song}`,
      artist: 'Mara Voss',
      image: '/images/a/320.webp',
      min_bpm: 124,
      max_bpm: 124,
      song_key: 'Am',
      year: 2026,
      created_at: '2026-11-20T00:00:00Z',
      genres: [],
      song_section_id: 1,
      label: '',
      plays: 0,
      wave: '',
      version: [version],
    },
    version,
  }
}
