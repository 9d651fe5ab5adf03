import { catalogue } from '@dubplate/contract'
import { Group, Stack, Text, TextInput } from '@mantine/core'
import { IconCheck, IconChevronLeft, IconChevronRight, IconPlus, IconSearch } from '@tabler/icons-react'
import { type DragEvent, type KeyboardEvent, type ReactNode, useEffect, useEffectEvent, useRef, useState } from 'react'
import { setDragData } from '../../catalogue/rowDrag.ts'
import { SongLine } from '../../catalogue/SongLine.tsx'
import { MIN_SEARCH_LENGTH, TOO_SHORT_MESSAGE } from '../../catalogue/searchAddress.ts'
import { format } from '../../format/message.ts'
import { isWorthRetrying } from '../../platform/api.ts'
import { InlineError } from '../../platform/InlineError.tsx'
import { useApiQuery } from '../../platform/queries.ts'
import { IconButton } from '../../ui/IconButton.tsx'
import css from './Composer.module.css'
import { SongNumbers } from './SongNumbers.tsx'
import { isForList } from './songIds.ts'
import * as texts from './texts.ts'

const ACTIONS = {
  add: { label: texts.addSongLabel, chosenLabel: texts.songAddedLabel },
  pin: { label: texts.pinSongLabel, chosenLabel: texts.songPinnedLabel },
}
type Action = keyof typeof ACTIONS

type Props = {
  /** What happens to a chosen song. */
  action: Action
  /** Songs already in the list. */
  chosen: ReadonlySet<number>
  onChoose: (song: catalogue.Song) => void
  /** Called when song links were pasted into the search. */
  onPaste?: (text: string) => void
  /** Shown below the search. */
  children?: ReactNode
}

const DEBOUNCE_MS = 200

/** The search results shortly after the last keystroke, with pagination. */
function useSongSearch(text: string) {
  const [term, setTerm] = useState(text.trim())
  const [page, setPage] = useState(1)
  useEffect(() => {
    const timer = setTimeout(() => {
      setTerm(text.trim())
      setPage(1)
    }, DEBOUNCE_MS)
    return () => clearTimeout(timer)
  }, [text])
  const canSearch = term.length >= MIN_SEARCH_LENGTH
  const results = useApiQuery(
    catalogue.searchSongs,
    { searchTerm: term, page },
    { enabled: canSearch, keepPrevious: true },
  )
  const newest = useApiQuery(catalogue.getNewRelease, { page }, { enabled: term === '', keepPrevious: true })
  const query = term === '' ? newest : results
  const isTooShort = term !== '' && !canSearch
  return { query, term, page, setPage, isTooShort, isSettled: term === text.trim() && !query.isPlaceholderData }
}

/**
 * Chooses the first result of a search as soon as it has loaded; does nothing for an empty search.
 * @param songs the results; undefined while loading
 */
function useFirstResult(songs: catalogue.Song[] | undefined, term: string, onChoose: (song: catalogue.Song) => void) {
  const requestedTerm = useRef('')
  const choose = () => {
    if (requestedTerm.current === '' || !songs) return
    const [first] = songs
    // The user may have typed something else since.
    if (first && requestedTerm.current === term) onChoose(first)
    requestedTerm.current = ''
  }
  const chooseLoaded = useEffectEvent(choose)
  // Once for each response.
  useEffect(() => chooseLoaded(), [songs, term])
  return (text: string) => {
    requestedTerm.current = text
    choose()
  }
}

/** The pool's search next to the list being edited: songs can be played, added with a button or Enter, and dragged. */
export function SongFinder({ action, chosen, onChoose, onPaste, children }: Props) {
  const [text, setText] = useState('')
  const { query, term, page, setPage, isTooShort, isSettled } = useSongSearch(text)
  const list = useRef<HTMLUListElement>(null)
  const { error, refetch } = query
  const data = isTooShort || (error && isSettled) ? undefined : query.data
  const songs = data?.songs
  const chooseFirst = useFirstResult(isSettled && !isTooShort ? songs : undefined, term, onChoose)
  const onKeyDown = (event: KeyboardEvent<HTMLInputElement>) => {
    if (event.key === 'ArrowDown') {
      event.preventDefault()
      addButtons(list.current)[0]?.focus()
    }
    if (event.key !== 'Enter') return
    event.preventDefault()
    chooseFirst(text.trim())
    event.currentTarget.select()
  }
  return (
    <Stack component="section" gap="sm" miw={0} aria-label={texts.songs}>
      <TextInput
        type="search"
        aria-label={texts.searchSongs}
        leftSection={<IconSearch size={16} aria-hidden />}
        placeholder={texts.searchOrFilterPlaceholder}
        value={text}
        maxLength={200}
        aria-describedby="finder-keys"
        onChange={({ currentTarget }) => setText(currentTarget.value)}
        onKeyDown={onKeyDown}
        onPaste={(event) => {
          const pasted = event.clipboardData.getData('text')
          if (!onPaste || !isForList(pasted)) return
          event.preventDefault()
          onPaste(pasted)
        }}
      />
      <Group justify="space-between" gap="xs" mih={28}>
        <Text role="status" fz="sm" c="var(--text-2)">
          {isTooShort ? TOO_SHORT_MESSAGE : countText(term, data)}
        </Text>
        {children}
      </Group>
      <Text id="finder-keys" fz="sm" c="var(--text-2)">
        {texts.enterAddsTheFirstResult}
      </Text>
      {error && !data && !isTooShort && <SearchError error={error} retry={() => void refetch()} />}
      <ul
        ref={list}
        className={css.songs}
        style={{ minHeight: 300 }}
        aria-label={term === '' ? texts.newestSongs : texts.searchResults}
        aria-busy={(!data && !error && !isTooShort) || query.isPlaceholderData || undefined}
        onKeyDown={moveFocus}
        onDragStart={(event: DragEvent) => startDrag(event, songs ?? [])}
      >
        {songs?.map((song) => (
          <FoundSong
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
    </Stack>
  )
}

/** An invalid search is rejected with a reason; retrying would give the same result. */
const SearchError = ({ error, retry }: { error: Error; retry: () => void }) =>
  isWorthRetrying(error) ? (
    <InlineError error={error} subject={texts.songsInSentence} retry={retry} />
  ) : (
    <Text role="alert" fz="sm" c="var(--danger)">
      {error.message}
    </Text>
  )

const countText = (term: string, data: { pagination: { totalCount: number; more?: boolean } } | undefined): string => {
  if (!data) return ''
  const { totalCount, more } = data.pagination
  if (term === '') return texts.newestSongs
  return totalCount === 0 ? texts.noMatches : format(more ? texts.moreThanSongs : texts.songCount, { n: totalCount })
}

type FoundSongProps = {
  song: catalogue.Song
  songs: catalogue.Song[]
  action: Action
  isChosen: boolean
  onChoose: (song: catalogue.Song) => void
}

const FoundSong = ({ song, songs, action, isChosen, onChoose }: FoundSongProps) => (
  <SongLine song={song} list={songs} row={{ draggable: true, 'data-song': song.entity_id }}>
    <SongNumbers song={song} />
    <IconButton
      label={format(ACTIONS[action][isChosen ? 'chosenLabel' : 'label'], { title: song.title, artist: song.artist })}
      data-add
      data-active={isChosen || undefined}
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
    <Group justify="center" gap="sm" fz="sm" c="var(--text-2)">
      <IconButton label={texts.previousPage} disabled={page <= 1} onClick={() => onPage(page - 1)}>
        <IconChevronLeft size={17} />
      </IconButton>
      <span className="num">{format(texts.of, { page, last })}</span>
      <IconButton label={texts.nextPage} disabled={page >= last} onClick={() => onPage(page + 1)}>
        <IconChevronRight size={17} />
      </IconButton>
    </Group>
  )
}
