import { catalogue } from '@dubplate/contract'
import { IconCheck, IconChevronLeft, IconChevronRight, IconPlus, IconSearch } from '@tabler/icons-react'
import { type DragEvent, type KeyboardEvent, type ReactNode, useEffect, useRef, useState } from 'react'
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
import { isForList } from './songIds.ts'
import * as texts from './texts.ts'

const DEEDS = {
  add: { does: texts.addSongLabel, done: texts.songAddedLabel },
  pin: { does: texts.pinSongLabel, done: texts.songPinnedLabel },
}
type Deed = keyof typeof DEEDS

type Props = {
  /** The action on a chosen song. */
  deed: Deed
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
function useFound(typed: string) {
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
  const asked = words === '' ? newest : search
  const isTooShort = words !== '' && !isSearch
  return { asked, words, page, setPage, isTooShort, isSettled: words === typed.trim() && !asked.isPlaceholderData }
}

/**
 * Takes the first result of a search as soon as it has loaded; does nothing for an empty search.
 * @param songs the results; undefined while loading
 */
function useTakingFirst(songs: catalogue.Song[] | undefined, words: string, onTake: (song: catalogue.Song) => void) {
  const [wanted, setWanted] = useState('')
  // biome-ignore lint/correctness/useExhaustiveDependencies: once for each response
  useEffect(() => {
    if (wanted === '' || !songs) return
    setWanted('')
    const [first] = songs
    // The user has typed something else in the meantime.
    if (first && wanted === words) onTake(first)
  }, [wanted, songs, words])
  return setWanted
}

/** The pool's search next to the list being edited: songs can be played, added with a button or Enter, and dragged. */
export function SongFinder({ deed, chosen, onChoose, onPaste, children }: Props) {
  const [typed, setTyped] = useState('')
  const { asked, words, page, setPage, isTooShort, isSettled } = useFound(typed)
  const list = useRef<HTMLUListElement>(null)
  const { error, refetch } = asked
  const data = isTooShort || (error && isSettled) ? undefined : asked.data
  const songs = data?.songs
  const takeFirst = useTakingFirst(isSettled && !isTooShort ? songs : undefined, words, onChoose)
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
            if (!onPaste || !isForList(text)) return
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
      {error && !data && !isTooShort && <NotFound error={error} retry={() => void refetch()} />}
      <ul
        ref={list}
        className={css.found}
        aria-label={words === '' ? texts.newestSongs : texts.searchResults}
        aria-busy={(!data && !error && !isTooShort) || asked.isPlaceholderData || undefined}
        onKeyDown={walk}
        onDragStart={(event: DragEvent) => dragged(event, songs ?? [])}
      >
        {songs?.map((song) => (
          <Found
            key={song.entity_id}
            song={song}
            songs={songs}
            deed={deed}
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
const NotFound = ({ error, retry }: { error: Error; retry: () => void }) =>
  isWorthRetrying(error) ? (
    <InlineError error={error} subject={texts.songsInSentence} retry={retry} />
  ) : (
    <p className={css.wrong} role="alert">
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

type FoundProps = {
  song: catalogue.Song
  songs: catalogue.Song[]
  deed: Deed
  isChosen: boolean
  onChoose: (song: catalogue.Song) => void
}

const Found = ({ song, songs, deed, isChosen, onChoose }: FoundProps) => (
  <SongLine song={song} list={songs} row={{ draggable: true, 'data-song': song.entity_id, className: css.line }}>
    <span className={`${css.bpm} num`}>{formatBpmRange(song.min_bpm, song.max_bpm)}</span>
    <span className={css.key}>
      <KeyBadge songKey={song.song_key} />
    </span>
    <IconButton
      label={
        isChosen
          ? format(DEEDS[deed].done, { title: song.title })
          : format(DEEDS[deed].does, { title: song.title, artist: song.artist })
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
function walk(event: KeyboardEvent<HTMLUListElement>) {
  const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
  const line = (event.target as Element).closest('li')
  if (!step || !line || event.altKey || event.ctrlKey || event.metaKey) return
  event.preventDefault()
  const lines = addButtons(event.currentTarget)
  const next = lines[lines.findIndex((button) => line.contains(button)) + step]
  if (next) return next.focus()
  if (step < 0) event.currentTarget.closest('section')?.querySelector('input')?.focus()
}

function dragged(event: DragEvent, songs: catalogue.Song[]) {
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
