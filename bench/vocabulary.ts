import { between, pick, type Random, shuffled } from '@dubplate/demo/random'

/** Generates a catalogue's texts: each call returns another title, artist or word. */
export type Vocabulary = { artist(): string; title(): Title }
export type Title = { title: string; remixer: string }

/**
 * Draws ranks from 0, low ranks far more often than high ones. Source: Zipf's law in Mandelbrot's form, frequency ~ 1 /
 * (rank + shift)^exponent.
 */
export function zipf(random: Random, count: number, exponent: number, shift = 0): () => number {
  const cumulative = new Float64Array(count)
  let total = 0
  for (let rank = 0; rank < count; rank++) {
    total += 1 / (rank + 1 + shift) ** exponent
    cumulative[rank] = total
  }
  return () => {
    const drawn = random() * total
    let low = 0
    let high = count - 1
    while (low < high) {
      const middle = (low + high) >> 1
      if (cumulative[middle]! < drawn) low = middle + 1
      else high = middle
    }
    return low
  }
}

const ONSETS = 'b c d f g h j k l m n p r s t v w z br ch cl dr fl gr sh sl st th tr'.split(' ')
const VOWELS = ['a', 'e', 'i', 'o', 'u', 'ea', 'oo']
const CODAS = ['', '', '', 'n', 'r', 's', 't', 'l', 'm', 'ck', 'ng']
const ACCENTS: Record<string, string> = { a: 'á', e: 'é', i: 'í', o: 'ó', u: 'ü', n: 'ñ' }

const syllable = (random: Random): string => pick(random, ONSETS) + pick(random, VOWELS) + pick(random, CODAS)

/** Distinct made-up words; as in natural languages, the most frequent ones are the shortest. */
function makeWords(random: Random, count: number): string[] {
  const words = new Set<string>()
  while (words.size < count) {
    const syllables = words.size < 400 ? 1 : between(random, 2, words.size < 8000 ? 2 : 3)
    const word = Array.from({ length: syllables }, () => syllable(random)).join('')
    if (word.length >= 3) words.add(word)
  }
  return [...words]
}

const capitalise = (word: string): string => word.charAt(0).toUpperCase() + word.slice(1)

const WORDS = 45_000
const REMIXES = ['Remix', 'Club Mix', 'Extended Mix', 'Bootleg', 'Mashup', 'Edit', 'Dub', 'VIP Mix', 'Rework']

/** The texts of a catalogue with the given number of songs. The same random numbers give the same texts. */
export function makeVocabulary(random: Random, songs: number): Vocabulary {
  const words = makeWords(random, WORDS)
  const rank = zipf(random, words.length, 1.02, 3)
  const word = () => {
    const chosen = words[rank()]!
    return capitalise(random() < 0.01 ? chosen.replace(/[aeioun]/, (letter) => ACCENTS[letter] ?? letter) : chosen)
  }
  const artists = makeArtists(random, word, Math.max(4000, Math.round(40_000 * Math.sqrt(songs / 1e6))))
  const artistRank = zipf(random, artists.length, 0.9, 5)
  const artist = () => artists[artistRank()]!
  const commonPhrases = Array.from({ length: 700 }, () => phrase(random, word))
  const knownRank = zipf(random, commonPhrases.length, 0.7)
  const remixRank = zipf(random, REMIXES.length, 1)
  const title = (): Title => {
    const text = random() < 0.12 ? commonPhrases[knownRank()]! : phrase(random, word)
    const kind = random()
    if (kind < 0.18) return { title: `${text} (feat. ${artist()})`, remixer: '' }
    if (kind >= 0.36) return { title: text, remixer: '' }
    const remixer = random() < 0.7 ? artist() : ''
    return { title: `${text} (${remixer ? `${remixer} ` : ''}${REMIXES[remixRank()]})`, remixer }
  }
  const both = () => `${artist()}${pick(random, [' & ', ' x ', ' feat. ', ' vs '])}${artist()}`
  return { artist: () => (random() < 0.13 ? both() : artist()), title }
}

/** One to six words, mostly two or three. */
function phrase(random: Random, word: () => string): string {
  const extraWords = Math.min(4, Math.floor(-Math.log(1 - random()) * 1.6))
  return Array.from({ length: 1 + extraWords + (random() < 0.6 ? 1 : 0) }, word).join(' ')
}

function makeArtists(random: Random, word: () => string, count: number): string[] {
  const firstNames = makeWords(random, 600).map(capitalise)
  const lastNames = makeWords(random, 2500).map(capitalise)
  const artists = new Set<string>()
  while (artists.size < count) artists.add(makeArtistName(random, word, firstNames, lastNames))
  return shuffled(random, [...artists])
}

function makeArtistName(random: Random, word: () => string, firstNames: string[], lastNames: string[]): string {
  const kind = random()
  if (kind < 0.45) return `${pick(random, firstNames)} ${pick(random, lastNames)}`
  if (kind < 0.6) return `DJ ${word()}`
  if (kind < 0.7) return `The ${word()}s`
  if (kind < 0.8) return `${word()} ${word()}`
  if (kind < 0.88) return `Lil ${pick(random, firstNames)}`
  if (kind < 0.94) return word()
  return `${pick(random, firstNames)} ${word()}`
}
