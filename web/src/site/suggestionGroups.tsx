import { catalogue } from '@dubplate/contract'
import { tokenAt } from '@dubplate/contract/query'
import { IconHistory, IconTrash } from '@tabler/icons-react'
import { type LinkProps, useNavigate } from '@tanstack/react-router'
import { type ReactNode, useState } from 'react'
import { KeyBadge } from '../catalogue/KeyBadge.tsx'
import { hitsOf, type SearchHit, sortByCloseness, usePlaylistHits } from '../catalogue/searchHits.ts'
import { plainWordsOf } from '../catalogue/searchTerm.ts'
import { NO_SUGGESTIONS, type Suggested, useSuggested } from '../catalogue/useSuggested.ts'
import { OwnedMark } from '../ownLibrary/OwnedMark.tsx'
import { imageAt } from '../platform/media.ts'
import { usePreferences } from '../platform/preferences.ts'
import { useApiQuery } from '../platform/queries.ts'
import { currentEntry, usePlayer } from '../player/store.ts'
import { closenessOf } from '../ui/paletteMatches.ts'
import { type Completion, completionsOf, mixingOf } from './completions.ts'
import { forgetSearch, forgetSearches, recentSearches } from './recentSearches.ts'
import css from './SearchSuggestions.module.css'
import type { SuggestionsProps } from './SearchSuggestions.tsx'
import * as texts from './texts.ts'

type Option = { key: string; content: ReactNode; choose: () => void; remove?: () => void }
export type SuggestionGroup = { title: string; options: Option[] }

const MAX_HITS = 6

/** The names of all version types. Every search reply contains them; this one requests no songs. */
function useVersionNames(enabled: boolean): string[] {
  const { data } = useApiQuery(catalogue.searchSongs, { SongEntitySearch: { year: '1900' } }, { enabled })
  return data?.versions.map(({ name }) => name) ?? []
}

function useGenreNames(enabled: boolean): string[] {
  const { data } = useApiQuery(catalogue.getSongGenres, {}, { enabled })
  return data?.genres.map(({ name }) => name) ?? []
}

/** The completions of the term at the caret, and the words for suggestions. */
function useCompletions(text: string, caret: number) {
  const token = tokenAt(text, caret)
  const operator = token?.operator
  const suggested = useSuggested(
    token && (operator === 'artist' || operator === 'label') ? token.value : operator ? '' : plainWordsOf(text),
  )
  const completions = completionsOf(text, token, {
    notation: usePreferences(({ notation }) => notation),
    genres: useGenreNames(operator === 'genre'),
    versions: useVersionNames(operator === 'version'),
    artists: suggested.artists,
    labels: suggested.labels,
    year: new Date().getFullYear(),
    playing: usePlaying(),
  })
  return { completions, suggested: operator ? NO_SUGGESTIONS : suggested }
}

function usePlaying() {
  const entry = usePlayer(currentEntry)
  return entry && mixingOf(entry.song)
}

/** Everything below the box, in groups: completions of the text, then songs and other hits. */
export function useSuggestionGroups({ text, caret, onComplete, onSearch }: SuggestionsProps): SuggestionGroup[] {
  const { completions, suggested } = useCompletions(text, caret)
  const words = plainWordsOf(text)
  const hits = sortByCloseness([...hitsOf(suggested, words), ...usePlaylistHits(words).hits], words)
  const recent = useRecent(onSearch)
  const open = useOpen()
  const songs = songOptions(suggested, open)
  const top = hitOptions(hits.slice(0, MAX_HITS), open)
  // Names that begin with the text come before songs that only contain it.
  const isNameFirst = hits[0] && closenessOf(hits[0].name, words) <= closestSong(suggested, words)
  const groups = text.trim()
    ? [completionOption(completions, onComplete), ...(isNameFirst ? [top, songs] : [songs, top])]
    : [recent]
  return groups.filter(({ options }) => options.length > 0)
}

const closestSong = ({ songs }: Suggested, words: string) =>
  Math.min(...songs.map(({ title }) => closenessOf(title, words)))

/** Leaves the search box: keys are for the player and the list again, and a phone hides its keyboard. */
function useOpen() {
  const navigate = useNavigate()
  return (link: LinkProps) => {
    ;(document.activeElement as HTMLElement | null)?.blur()
    void navigate(link)
  }
}

const completionOption = (completions: Completion[], onComplete: SuggestionsProps['onComplete']): SuggestionGroup => ({
  title: texts.filters,
  options: completions.map(({ label, meaning, songKey, text, caret }) => ({
    key: label,
    choose: () => onComplete(text, caret),
    content: (
      <>
        {songKey && <KeyBadge songKey={songKey} />}
        <code className="ellipsis">{label}</code>
        <small className="ellipsis">{meaning}</small>
      </>
    ),
  })),
})

const songOptions = ({ songs }: Suggested, open: (link: LinkProps) => void): SuggestionGroup => ({
  title: texts.songs,
  options: songs.map(({ entity_id, title, artist, image }) => ({
    key: `song ${entity_id}`,
    choose: () => open({ to: '/song/$entityId', params: { entityId: entity_id } }),
    content: (
      <>
        <img src={imageAt(image, 96)} alt="" width={32} height={32} />
        <span className={css.words}>
          <b className="ellipsis">{title}</b>
          <small className="ellipsis">
            <OwnedMark songId={entity_id} />
            {artist}
          </small>
        </span>
      </>
    ),
  })),
})

const hitOptions = (hits: readonly SearchHit[], open: (link: LinkProps) => void): SuggestionGroup => ({
  title: texts.topHits,
  options: hits.map(({ id, name, note, icon: Icon, link }) => ({
    key: id,
    choose: () => open(link),
    content: (
      <>
        <Line icon={<Icon size={16} />}>{name}</Line>
        <small className="ellipsis">{note}</small>
      </>
    ),
  })),
})

const Line = ({ icon, children }: { icon: ReactNode; children: string }) => (
  <>
    <span aria-hidden className={css.icon}>
      {icon}
    </span>
    <span className="ellipsis">{children}</span>
  </>
)

function useRecent(onSearch: SuggestionsProps['onSearch']): SuggestionGroup {
  const [terms, setTerms] = useState(recentSearches)
  const forgetTerm = (term: string) => {
    forgetSearch(term)
    setTerms(recentSearches())
  }
  const clearCommand = {
    key: 'clear',
    choose: () => {
      forgetSearches()
      setTerms([])
    },
    content: <Line icon={<IconTrash size={16} />}>{texts.clearRecentSearches}</Line>,
  }
  const each = terms.map((term) => ({
    key: `recent ${term}`,
    choose: () => onSearch(term),
    remove: () => forgetTerm(term),
    content: <Line icon={<IconHistory size={16} />}>{term}</Line>,
  }))
  return { title: texts.recentSearches, options: terms.length ? [...each, clearCommand] : [] }
}
