import { parseKey, parseTempo } from '@dubplate/contract'
import { format } from '../format/message.ts'
import type { FieldErrors, Values } from './songForm.ts'
import * as texts from './texts.ts'

const MAX_TEXT_LENGTH = 300
const MAX_GENRES = 20

const requiredText = (text: string, requiredMessage: string) => {
  if (!text.trim()) return requiredMessage
  return text.trim().length > MAX_TEXT_LENGTH ? format(texts.useAtMostCharacters, { max: MAX_TEXT_LENGTH }) : undefined
}

const requiredMatch = (text: string, requiredMessage: string, isValid: boolean, invalidMessage: string) => {
  if (!text.trim()) return requiredMessage
  return isValid ? undefined : invalidMessage
}

/**
 * The errors of a song's values, as in the contract's `songData`. Duplicated here and checked by a test, because the
 * schema and its library would add 10 kB to this screen and every other form.
 */
export function validateValues({ title, artist, year, song_key, bpm, genres }: Values): FieldErrors {
  const messages = {
    title: requiredText(title, texts.songTitleCannotBeBlank),
    artist: requiredText(artist, texts.artistCannotBeBlank),
    year: requiredMatch(year, texts.yearCannotBeBlank, /^(19|20|21)\d\d$/.test(year.trim()), texts.enterAFourDigitYear),
    song_key: requiredMatch(
      song_key,
      texts.songKeyCannotBeBlank,
      parseKey(song_key.trim()) !== undefined,
      texts.enterAKeySuchAs,
    ),
    bpm: requiredMatch(bpm, texts.bpmCannotBeBlank, parseTempo(bpm) !== undefined, texts.enterBpm),
    genres:
      genres.length === 0
        ? texts.pleaseSelectGenre
        : genres.length > MAX_GENRES
          ? format(texts.chooseUpToGenres, { max: MAX_GENRES })
          : undefined,
  }
  return Object.fromEntries(Object.entries(messages).filter((each): each is [string, string] => each[1] !== undefined))
}
