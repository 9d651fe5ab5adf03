import { parseKey, readTempo } from '@dubplate/contract'
import { format } from '../platform/message.ts'
import type { Values, Wrong } from './songForm.ts'
import * as texts from './texts.ts'

const LONGEST = 300
const MOST_GENRES = 20

const named = (text: string, blank: string) => {
  if (!text.trim()) return blank
  return text.trim().length > LONGEST ? format(texts.useAtMostCharacters, { max: LONGEST }) : undefined
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
    title: named(title, texts.songTitleCannotBeBlank),
    artist: named(artist, texts.artistCannotBeBlank),
    year: filled(year, texts.yearCannotBeBlank, /^(19|20|21)\d\d$/.test(year.trim()), texts.enterAFourDigitYear),
    song_key: filled(
      song_key,
      texts.songKeyCannotBeBlank,
      parseKey(song_key.trim()) !== undefined,
      texts.enterAKeySuchAs,
    ),
    bpm: filled(bpm, texts.bpmCannotBeBlank, readTempo(bpm) !== undefined, texts.enterABpmFrom20),
    genres:
      genres.length === 0
        ? texts.pleaseSelectGenre
        : genres.length > MOST_GENRES
          ? format(texts.chooseUpToGenres, { max: MOST_GENRES })
          : undefined,
  }
  return Object.fromEntries(Object.entries(sentences).filter((each): each is [string, string] => each[1] !== undefined))
}
