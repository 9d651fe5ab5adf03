import type { catalogue, ReplyOf } from '@dubplate/contract'
import { Link, type LinkProps } from '@tanstack/react-router'
import { useState } from 'react'
import { format } from '../format/message.ts'
import css from './ParsedSearch.module.css'
import { genreLink, hitsOf, nameLink, sortByCloseness, usePlaylistHits } from './searchHits.ts'
import { plainWordsOf } from './searchTerm.ts'
import * as texts from './texts.ts'
import { sameSection } from './useSection.ts'
import { useSuggestedOrPending } from './useSuggested.ts'

const MAX_TOP_HITS = 6

type TopHitsProps = {
  term: string
  /** Whether the songs are loading. */
  isLoading: boolean
}

/**
 * Genres, artists, labels, playlists and spotlights that a search may mean, as links above its songs. Their line is kept
 * free while the screen loads, and stays if the songs were shown below it: they do not move while being read, whether
 * there are hits or not.
 */
export function TopHits({ term, isLoading }: TopHitsProps) {
  const words = plainWordsOf(term)
  const suggestions = useSuggestedOrPending(words)
  const playlists = usePlaylistHits(words)
  const hits = [...hitsOf(suggestions.suggested, words), ...playlists.hits]
  const topHits = sortByCloseness(hits, words).slice(0, MAX_TOP_HITS)
  const mayHaveHits = words !== '' && (isLoading || suggestions.isPending || playlists.isPending)
  const hasLine = topHits.length > 0 || mayHaveHits
  const [wordsWithLine, setWordsWithLine] = useState('')
  if (hasLine && !isLoading && wordsWithLine !== words) setWordsWithLine(words)
  const keepsLine = words !== '' && wordsWithLine === words
  if (!hasLine && !keepsLine) return null
  if (topHits.length === 0) return <div className={css.pieces} aria-hidden />
  return (
    <ul className={css.pieces} aria-label={texts.topHits}>
      {topHits.map(({ id, name, note, icon: Icon, link }) => (
        <li key={id} className={css.hit}>
          <Link {...link}>
            <Icon size={16} aria-hidden />
            <span>{name}</span>
            <small>{note}</small>
          </Link>
        </li>
      ))}
    </ul>
  )
}

type Corrections = ReplyOf<typeof catalogue.searchSongs>['did_you_mean']

export const hasCorrections = ({ genres, artists, terms }: Corrections) =>
  genres.length + artists.length + terms.length > 0

/** The nearest genres, artists and spellings of a search that no song matches, as links. */
export function DidYouMean({ corrections: { genres, artists, terms } }: { corrections: Corrections }) {
  const choices: { id: string; name: string; link: LinkProps; note?: string }[] = [
    ...genres.map(({ genre_id, name, song_count }) => ({
      id: `genre ${genre_id}`,
      name,
      link: genreLink(genre_id),
      note: format(texts.songCount, { count: song_count }),
    })),
    ...artists.map((name) => ({ id: `artist ${name}`, name, link: nameLink('artist', name) })),
    ...terms.map((term) => ({
      id: `term ${term}`,
      name: term,
      link: { to: '/search/result/{-$term}', params: { term }, search: sameSection() } satisfies LinkProps,
    })),
  ]
  return (
    <p className={css.didYouMean}>
      {texts.didYouMean}{' '}
      {choices.map(({ id, name, link, note }) => (
        <Link key={id} {...link}>
          <b>{name}</b>
          {note && <small>{note}</small>}
        </Link>
      ))}
    </p>
  )
}
