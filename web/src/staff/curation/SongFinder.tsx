import { catalogue } from '@dubplate/contract'
import { IconCheck, IconChevronLeft, IconChevronRight, IconPlus, IconSearch } from '@tabler/icons-react'
import { type DragEvent, type KeyboardEvent, type ReactNode, useEffect, useEffectEvent, useRef, useState } from 'react'
import { KeyBadge } from '../../catalogue/KeyBadge.tsx'
import { setDragData } from '../../catalogue/rowDrag.ts'
import { SongLine } from '../../catalogue/SongLine.tsx'
import { MIN_SEARCH_LENGTH, TOO_SHORT_MESSAGE } from '../../catalogue/searchAddress.ts'
import { isWorthRetrying } from '../../platform/api.ts'
import { formatBpmRange } from '../../platform/format.ts'
import { InlineError } from '../../platform/InlineError.tsx'
import { format } from '../../platform/message.ts'
import { useApiQuery } from '../../platform/queries.ts'
import { IconButton } from '../../ui/IconButton.tsx'
import field from '../../ui/SearchField.module.css'
import css from './Composer.module.css'
import { isSongList } from './songIds.ts'
import * as texts from './texts.ts'

const ACTION_LABELS = {
  add: { before: texts.addSongLabel, after: texts.songAddedLabel },
  pin: { before: texts.pinSongLabel, after: texts.songPinnedLabel },
}
type Action = keyof typeof ACTION_LABELS

type Props = {
  /** What the button of a song does. */
  action: Action
  /** Songs already in the list. */
  chosen: ReadonlySet<number>
  onChoose: (song: catalogue.Song) => void
  /** Called when song links were pasted into the search. */
  onPaste?: (text: string) => void
  /** Shown below the search. */
  children?: ReactNode
}

const PAUSE_MS = 200

/** The search results shortly after the last keystroke, with pagination. */
function useSongSearch(typed: string) {
  const [words, setWords] = useState(typed.trim())
  const [page, setPage] = useState(1)
  useEffect(() => {
    const timer = setTimeout(() => {
      setWords(typed.trim())
      setPage(1)
    }, PAUSE_MS)
    return () => clearTimeout(timer)
  }, [typed])
  const isSearch = words.length >= MIN_SEARCH_LENGTH
  const search = useApiQuery(
    catalogue.searchSongs,
    { searchTerm: words, page },
    { enabled: isSearch, keepPrevious: true },
  )
  const newest = useApiQuery(catalogue.getNewRelease, { page }, { enabled: words === '', keepPrevious: true })
  const query = words === '' ? newest : search
  const isTooShort = words !== '' && !isSearch
  return { query, words, page, setPage, isTooShort, isSettled: words === typed.trim() && !query.isPlaceholderData }
}

/**
 * Takes the first result of a search as soon as it has loaded; does nothing for an empty search.
 * @param songs the results; undefined while loading
 */
function useFirstResult(songs: catalogue.Song[] | undefined, words: string, onTake: (song: catalogue.Song) => void) {
  const pending = useRef('')
  const take = () => {
    if (pending.current === '' || !songs) return
    const [first] = songs
    // Otherwise the user has typed something else in the meantime.
    if (first && pending.current === words) onTake(first)
    pending.current = ''
  }
  const takeLoaded = useEffectEvent(take)
  // Once for each response.
  useEffect(() => takeLoaded(), [songs, words])
  return (text: string) => {
    pending.current = text
    take()
  }
}

/** The pool's search next to the list being edited: songs can be played, added with a button or Enter, and startDrag. */
export function SongFinder({ action, chosen, onChoose, onPaste, children }: Props) {
  const [typed, setTyped] = useState('')
  const { query, words, page, setPage, isTooShort, isSettled } = useSongSearch(typed)
  const list = useRef<HTMLUListElement>(null)
  const { error, refetch } = query
  const data = isTooShort || (error && isSettled) ? undefined : query.data
  const songs = data?.songs
  const takeFirst = useFirstResult(isSettled && !isTooShort ? songs : undefined, words, onChoose)
  const onKeyDown = (event: KeyboardEvent<HTMLInputElement>) => {
    if (event.key === 'ArrowDown') {
      event.preventDefault()
      addButtons(list.current)[0]?.focus()
    }
    if (event.key !== 'Enter') return
    event.preventDefault()
    takeFirst(typed.trim())
    event.currentTarget.select()
  }
  return (
    <section className={css.side} aria-label={texts.songs}>
      <label className={`${field.field} ${css.search}`}>
        <IconSearch size={16} aria-hidden />
        <span className="sr">{texts.searchSongs}</span>
        <input
          type="search"
          placeholder={texts.searchOrFilterPlaceholder}
          value={typed}
          maxLength={200}
          aria-describedby="finder-keys"
          onChange={({ target }) => setTyped(target.value)}
          onKeyDown={onKeyDown}
          onPaste={(event) => {
            const text = event.clipboardData.getData('text')
            if (!onPaste || !isSongList(text)) return
            event.preventDefault()
            onPaste(text)
          }}
        />
      </label>
      <div className={css.under}>
        <p className={css.count} role="status">
          {isTooShort ? TOO_SHORT_MESSAGE : countInWords(words, data)}
        </p>
        {children}
      </div>
      <p id="finder-keys" className={css.keys}>
        {texts.enterAddsTheFirstResult}
      </p>
      {error && !data && !isTooShort && <SearchError error={error} retry={() => void refetch()} />}
      <ul
        ref={list}
        className={css.found}
        aria-label={words === '' ? texts.newestSongs : texts.searchResults}
        aria-busy={(!data && !error && !isTooShort) || query.isPlaceholderData || undefined}
        onKeyDown={moveFocus}
        onDragStart={(event: DragEvent) => startDrag(event, songs ?? [])}
      >
        {songs?.map((song) => (
          <SearchResult
            key={song.entity_id}
            song={song}
            songs={songs}
            action={action}
            isChosen={chosen.has(song.entity_id)}
            onChoose={onChoose}
          />
        ))}
      </ul>
      {data && <Pages pagination={data.pagination} page={page} onPage={setPage} />}
    </section>
  )
}

/** An invalid search is rejected with a reason; retrying would give the same result. */
const SearchError = ({ error, retry }: { error: Error; retry: () => void }) =>
  isWorthRetrying(error) ? (
    <InlineError error={error} subject={texts.songsInSentence} retry={retry} />
  ) : (
    <p className={css.error} role="alert">
      {error.message}
    </p>
  )

const countInWords = (
  words: string,
  data: { pagination: { totalCount: number; more?: boolean } } | undefined,
): string => {
  if (!data) return ''
  const { totalCount, more } = data.pagination
  if (words === '') return texts.newestSongs
  return totalCount === 0 ? texts.noMatches : format(more ? texts.moreThanSongs : texts.songCount, { n: totalCount })
}

type ResultProps = {
  song: catalogue.Song
  songs: catalogue.Song[]
  action: Action
  isChosen: boolean
  onChoose: (song: catalogue.Song) => void
}

const SearchResult = ({ song, songs, action, isChosen, onChoose }: ResultProps) => (
  <SongLine song={song} list={songs} row={{ draggable: true, 'data-song': song.entity_id, className: css.line }}>
    <span className={`${css.bpm} num`}>{formatBpmRange(song.min_bpm, song.max_bpm)}</span>
    <span className={css.key}>
      <KeyBadge songKey={song.song_key} />
    </span>
    <IconButton
      label={
        isChosen
          ? format(ACTION_LABELS[action].after, { title: song.title })
          : format(ACTION_LABELS[action].before, { title: song.title, artist: song.artist })
      }
      data-add
      data-chosen={isChosen || undefined}
      className={css.add}
      onClick={() => onChoose(song)}
    >
      {isChosen ? <IconCheck size={17} /> : <IconPlus size={17} />}
    </IconButton>
  </SongLine>
)

const addButtons = (list: HTMLElement | null) => [...(list?.querySelectorAll<HTMLElement>('[data-add]') ?? [])]

/** The arrow keys move through the songs. */
function moveFocus(event: KeyboardEvent<HTMLUListElement>) {
  const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
  const line = (event.target as Element).closest('li')
  if (!step || !line || event.altKey || event.ctrlKey || event.metaKey) return
  event.preventDefault()
  const lines = addButtons(event.currentTarget)
  const next = lines[lines.findIndex((button) => line.contains(button)) + step]
  if (next) return next.focus()
  if (step < 0) event.currentTarget.closest('section')?.querySelector('input')?.focus()
}

function startDrag(event: DragEvent, songs: catalogue.Song[]) {
  const id = Number((event.target as Element).closest<HTMLElement>('[data-song]')?.dataset.song)
  const song = songs.find(({ entity_id }) => entity_id === id)
  if (song) setDragData(event.dataTransfer, [song])
}

type PagesProps = {
  pagination: { perPageLimit: number; totalCount: number }
  page: number
  onPage: (page: number) => void
}

function Pages({ pagination: { perPageLimit, totalCount }, page, onPage }: PagesProps) {
  const last = Math.ceil(totalCount / perPageLimit)
  if (last <= 1) return null
  return (
    <p className={css.pages}>
      <IconButton label={texts.previousPage} disabled={page <= 1} onClick={() => onPage(page - 1)}>
        <IconChevronLeft size={17} />
      </IconButton>
      <span className="num">{format(texts.of, { page, last })}</span>
      <IconButton label={texts.nextPage} disabled={page >= last} onClick={() => onPage(page + 1)}>
        <IconChevronRight size={17} />
      </IconButton>
    </p>
  )
}
