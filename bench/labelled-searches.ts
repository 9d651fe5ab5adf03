import { catalogue } from '@dubplate/contract'
import { recountGenres } from '../server/src/catalogue/genre-songs.ts'
import type { Pool } from '../server/src/platform/db.ts'
import { addPlainSongs, type PlainSong } from '../server/test/plain-songs.ts'
import type { Server } from './bench-pool.ts'

/** What a search must show first: the top hit of a kind, the first song of the results, or the first suggested song. */
type Expected = { [kind in 'genre' | 'artist' | 'label' | 'song' | 'suggestedSong' | 'didYouMean']?: string }
type LabelledSearch = readonly [text: string, expected: Expected]

const genre = (name: string): Expected => ({ genre: name })
const song = (title: string): Expected => ({ song: title })

/** What people type, each with what they look for. The songs are below, the genres are those of the generator. */
const SEARCHES: Record<string, LabelledSearch[]> = {
  genre: [
    ['house', genre('House')],
    ['techno', genre('Techno')],
    ['tech house', genre('Tech House')],
    ['afro house', genre('Afro House')],
    ['hip hop', genre('Hip-Hop')],
    ['hip-hop', genre('Hip-Hop')],
    ['hiphop', genre('Hip-Hop')],
    ['drum and bass', genre('Drum & Bass')],
    ['drum & bass', genre('Drum & Bass')],
    ['dnb', genre('Drum & Bass')],
    ['rnb', genre('R&B')],
    ['r&b', genre('R&B')],
  ],
  'sub-genre': [
    ['deep house', genre('Deep House')],
    ['classic disco', genre('Classic Disco')],
    ['deep tech house', genre('Deep Tech House')],
    ['classic hip hop', genre('Classic Hip-Hop')],
    ['live drum n bass', genre('Live Drum & Bass')],
  ],
  mood: [
    ['peak time', genre('Peak Time')],
    ['late night', genre('Late Night')],
    ['warm up', genre('Warm-up')],
    ['peaktime', genre('Peak Time')],
  ],
  label: [
    ['nightboat records', { label: 'Nightboat Records' }],
    ['nightboat', { label: 'Nightboat Records' }],
    ['copperline', { label: 'Copperline' }],
    ['label:copperline', song('Saffron Static')],
    ['label:"silverleaf music"', song('Velvet Cartography')],
  ],
  version: [
    ['paper lanterns intro clean', song('Paper Lanterns')],
    ['glasswing acapella', song('Glasswing')],
    ['harbourlight extended', song('Harbourlight')],
    ['oriole trio acapella', song('Glasswing')],
  ],
  remixer: [
    ['marisol vega', song('Glasswing')],
    ['glasswing marisol', song('Glasswing')],
    ['tobias kerrigan', song('Harbourlight')],
    ['tobias kerrigan cartography', song('Velvet Cartography')],
  ],
  'bare BPM': [
    ['133', song('Harbourlight')],
    ['117', song('Mirrorball Diner')],
    ['71', song('Slow Telegram')],
    ['99', song('99')],
    ['disco 117', song('Mirrorball Diner')],
  ],
  key: [
    ['8A', song('Mirrorball Diner')],
    ['A minor', song('Mirrorball Diner')],
    ['F#m', song('Harbourlight')],
    ['Gm', song('Velvet Cartography')],
    ['trance Bb', song('Saffron Static')],
  ],
  misspelled: [
    ['tehcno', genre('Techno')],
    ['huose', genre('House')],
    ['dubsetp', genre('Dubstep')],
    ['papr lanterns', song('Paper Lanterns')],
    ['marisol vgea', song('Glasswing')],
    ['drumm and basss', { didYouMean: 'Drum & Bass' }],
  ],
  prefix: [
    ['hous', genre('House')],
    ['techn', genre('Techno')],
    ['moomb', genre('Moombahton')],
    ['nightb', { label: 'Nightboat Records' }],
    ['paper lan', { suggestedSong: 'Paper Lanterns' }],
    ['oriole', { artist: 'Oriole Trio' }],
  ],
  'two words of different kinds': [
    ['house nightboat', song('Glasswing')],
    ['trance 138', song('Saffron Static')],
    ['kestrel copperline', song('Saffron Static')],
    ['late night extended', song('Harbourlight')],
  ],
}

const MOODS = ['Peak Time', 'Late Night', 'Warm-up']
const FIRST_MOOD_ID = 901

type LabelledSong = Omit<PlainSong, 'genres'> & { genres: string[] }

/** The newest songs of the catalogue, oldest first. */
const SONGS: LabelledSong[] = [
  { title: 'Paper Lanterns', artist: 'Oriole Trio', genres: ['House'], min_bpm: 122, song_key: 'Cm' },
  { title: 'Glasswing', artist: 'Oriole Trio', genres: ['Deep House'], min_bpm: 121, song_key: 'Am' },
  { title: 'Harbourlight', artist: 'Tobias Kerrigan', genres: ['Techno', 'Late Night'], min_bpm: 133, song_key: 'F#m' },
  { title: 'Velvet Cartography', artist: 'Kestrel Moon', genres: ['Drum & Bass'], min_bpm: 174, song_key: 'Gm' },
  { title: 'Saffron Static', artist: 'Kestrel Moon', genres: ['Trance', 'Peak Time'], min_bpm: 138, song_key: 'Bb' },
  { title: 'Slow Telegram', artist: 'June Atlas', genres: ['R&B'], min_bpm: 71, song_key: 'Eb' },
  { title: 'Corduroy Rain', artist: 'June Atlas', genres: ['Hip-Hop'], min_bpm: 93, song_key: 'Dm' },
  { title: 'Mirrorball Diner', artist: 'Seven Owls', genres: ['Disco', 'Warm-up'], min_bpm: 117, song_key: 'Am' },
  { title: '99', artist: 'Counting Crowe', genres: ['Pop'], min_bpm: 104, song_key: 'C' },
  { title: 'Ninety', artist: 'Counting Crowe', genres: ['Pop'], min_bpm: 99, song_key: 'C' },
]
const DETAILS: Record<string, Partial<PlainSong>> = {
  'Paper Lanterns': { label: 'Nightboat Records', versions: ['Intro Clean', 'Clean', 'Dirty'] },
  Glasswing: { label: 'Nightboat Records', remixer: 'Marisol Vega', versions: ['Clean', 'Acapella'] },
  Harbourlight: { label: 'Copperline', versions: ['Extended'] },
  'Velvet Cartography': { label: 'Silverleaf Music', remixer: 'Tobias Kerrigan', versions: ['Club'] },
  'Saffron Static': { label: 'Copperline', versions: ['Extended'] },
}

/** Adds the songs that the searches look for, unless a kept catalogue already has them. */
async function addLabelledSongs(sql: Pool): Promise<void> {
  const [known] =
    await sql`select 1 from song where title = ${SONGS[0]?.title ?? ''} and artist = ${SONGS[0]?.artist ?? ''}`
  if (known) return
  for (const [n, name] of MOODS.entries())
    await sql`insert into genre (genre_id, name, kind, position) values (${FIRST_MOOD_ID + n}, ${name}, 'mood', ${n})`
  const genres = await sql<{ genre_id: number; name: string }[]>`select genre_id, name from genre`
  const idOf = (name: string) => genres.find((each) => each.name === name)?.genre_id ?? 0
  await addPlainSongs(
    sql,
    SONGS.map((each) => ({
      ...each,
      ...DETAILS[each.title],
      genres: each.genres.map(idOf),
      versions: DETAILS[each.title]?.versions ?? ['Clean'],
    })),
  )
  await sql.begin((tx) =>
    recountGenres(
      tx,
      MOODS.map((_, n) => FIRST_MOOD_ID + n),
    ),
  )
}

export type LabelledResult = { count: number; misses: string[] }

/** Runs the labelled searches and lists those that show something else first. */
export async function checkLabelledSearches(sql: Pool, server: Server): Promise<LabelledResult> {
  await addLabelledSongs(sql)
  const misses: string[] = []
  const searches = Object.entries(SEARCHES).flatMap(([kind, some]) => some.map((each) => ({ kind, each })))
  for (const { kind, each } of searches) {
    const [text, expected] = each
    const shown = await findFirst(server, text)
    const wrong = Object.entries(expected).filter(([what, name]) => shown[what as keyof Expected] !== name)
    for (const [what, name] of wrong)
      misses.push(`${kind} “${text}”: ${what} ${name}, but shows ${shown[what as keyof Expected] ?? 'none'}`)
  }
  return { count: searches.length, misses }
}

async function findFirst(server: Server, text: string): Promise<Expected> {
  const [results, suggestions] = await Promise.all([
    server.callApi(catalogue.searchSongs, { searchTerm: text }),
    server.callApi(catalogue.suggestSearch, { text }),
  ])
  const named = {
    genre: suggestions.genres[0]?.name,
    artist: suggestions.artists[0],
    label: suggestions.labels[0],
    song: results.songs[0]?.title,
    suggestedSong: suggestions.songs[0]?.title,
    didYouMean: results.did_you_mean.genres[0]?.name,
  }
  return Object.fromEntries(Object.entries(named).filter(([, name]) => name !== undefined))
}
