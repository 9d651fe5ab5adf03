import { parseKey, readTempo } from '@dubplate/contract'
import type { Values, Wrong } from './songForm.ts'

const LONGEST = 300
const MOST_GENRES = 20

const named = (text: string, blank: string) => {
  if (!text.trim()) return blank
  return text.trim().length > LONGEST ? `Use at most ${LONGEST} characters.` : undefined
}

const filled = (text: string, blank: string, isGood: boolean, bad: string) => {
  if (!text.trim()) return blank
  return isGood ? undefined : bad
}

/**
 * What is wrong with the values of a song, as the contract's `songData` says it. Said here once more, held to it by a
 * test: the schema and the library behind it would cost this screen and every other form 10 kB.
 */
export function wrongValues({ title, artist, year, song_key, bpm, genres }: Values): Wrong {
  const sentences = {
    title: named(title, 'Song title cannot be blank!'),
    artist: named(artist, 'Artist cannot be blank!'),
    year: filled(year, 'Year cannot be blank!', /^(19|20|21)\d\d$/.test(year.trim()), 'Enter a four-digit year.'),
    song_key: filled(
      song_key,
      'Song Key cannot be blank!',
      parseKey(song_key.trim()) !== undefined,
      'Enter a key such as Am, F#m or 8A.',
    ),
    bpm: filled(
      bpm,
      'BPM cannot be blank!',
      readTempo(bpm) !== undefined,
      'Enter a BPM from 20 to 400, or a range such as 98-124.',
    ),
    genres:
      genres.length === 0
        ? 'Please select genre!'
        : genres.length > MOST_GENRES
          ? `Choose up to ${MOST_GENRES} genres.`
          : undefined,
  }
  return Object.fromEntries(Object.entries(sentences).filter((each): each is [string, string] => each[1] !== undefined))
}
