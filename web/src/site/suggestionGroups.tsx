import { catalogue } from '@dubplate/contract'
import { tokenAt } from '@dubplate/contract/query'
import { IconHistory, IconMicrophone, IconTrash, IconWaveSine } from '@tabler/icons-react'
import { useNavigate } from '@tanstack/react-router'
import { type ReactNode, useState } from 'react'
import { KeyBadge } from '../catalogue/KeyBadge.tsx'
import { artistTerm, plainWordsOf } from '../catalogue/searchTerm.ts'
import { sameSection } from '../catalogue/useSection.ts'
import { type Suggested, useSuggested } from '../catalogue/useSuggested.ts'
import { imageAt } from '../platform/media.ts'
import { usePreferences } from '../platform/preferences.ts'
import { useApiQuery } from '../platform/queries.ts'
import { currentEntry, usePlayer } from '../player/store.ts'
import { type Completion, completionsOf, mixingOf } from './completions.ts'
import { forgetSearch, forgetSearches, recentSearches } from './recentSearches.ts'
import css from './SearchSuggestions.module.css'
import type { SuggestionsProps } from './SearchSuggestions.tsx'
import * as texts from './texts.ts'

type Option = { key: string; content: ReactNode; choose: () => void; remove?: () => void }
export type SuggestionGroup = { title: string; options: Option[] }

const NONE: Suggested = { songs: [], artists: [], genres: [] }

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
  const suggested = useSuggested(operator === 'artist' ? token!.value : operator ? '' : plainWordsOf(text))
  const completions = completionsOf(text, token, {
    notation: usePreferences(({ notation }) => notation),
    genres: useGenreNames(operator === 'genre'),
    versions: useVersionNames(operator === 'version'),
    artists: suggested.artists,
    year: new Date().getFullYear(),
    playing: usePlaying(),
  })
  return { completions, suggested: operator ? NONE : suggested }
}

function usePlaying() {
  const entry = usePlayer(currentEntry)
  return entry && mixingOf(entry.song)
}

/** Everything below the box, in groups: completions of the text, then songs, artists and genres. */
export function useSuggestionGroups({ text, caret, onComplete, onSearch }: SuggestionsProps): SuggestionGroup[] {
  const { completions, suggested } = useCompletions(text, caret)
  const recent = useRecent(onSearch)
  const goTo = useGoTo()
  const groups = text.trim()
    ? [completionOption(completions, onComplete), ...matching(suggested, onSearch, goTo)]
    : [recent]
  return groups.filter(({ options }) => options.length > 0)
}

/** Leaves the search box: keys are for the player and the list again, and a phone hides its keyboard. */
function useGoTo() {
  const navigate = useNavigate()
  const blurSearch = () => (document.activeElement as HTMLElement | null)?.blur()
  return {
    song: (entityId: number) => {
      blurSearch()
      void navigate({ to: '/song/$entityId', params: { entityId } })
    },
    genre: (genreId: number) => {
      blurSearch()
      void navigate({ to: '/genres/view/$genreId', params: { genreId }, search: sameSection() })
    },
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

function matching(
  { songs, artists, genres }: Suggested,
  onSearch: SuggestionsProps['onSearch'],
  goTo: ReturnType<typeof useGoTo>,
): SuggestionGroup[] {
  return [
    {
      title: texts.songs,
      options: songs.map(({ entity_id, title, artist, image }) => ({
        key: `song ${entity_id}`,
        choose: () => goTo.song(entity_id),
        content: (
          <>
            <img src={imageAt(image, 96)} alt="" width={32} height={32} />
            <span className={css.words}>
              <b className="ellipsis">{title}</b>
              <small className="ellipsis">{artist}</small>
            </span>
          </>
        ),
      })),
    },
    {
      title: texts.artists,
      options: artists.map((artist) => ({
        key: `artist ${artist}`,
        choose: () => onSearch(artistTerm(artist)),
        content: <Line icon={<IconMicrophone size={16} />}>{artist}</Line>,
      })),
    },
    {
      title: texts.genres,
      options: genres.map(({ genre_id, name }) => ({
        key: `genre ${genre_id}`,
        choose: () => goTo.genre(genre_id),
        content: <Line icon={<IconWaveSine size={16} />}>{name}</Line>,
      })),
    },
  ]
}

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
