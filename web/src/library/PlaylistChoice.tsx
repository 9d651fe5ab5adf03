import type { catalogue, playlists } from '@dubplate/contract'
import { IconPlus } from '@tabler/icons-react'
import { useCallback, useRef, useState } from 'react'
import { format } from '../format/message.ts'
import { goTo } from '../platform/address.ts'
import { ErrorState } from '../platform/ErrorState.tsx'
import { Dialog } from '../ui/Dialog.tsx'
import { SearchField } from '../ui/SearchField.tsx'
import { toast } from '../ui/toast.ts'
import { Mosaic } from './Mosaic.tsx'
import css from './PlaylistChoice.module.css'
import { PlaylistPages, usePlaylistPage } from './PlaylistPages.tsx'
import { closePlaylistChoice } from './playlistChoice.ts'
import { addToPlaylist, createPlaylist } from './playlists.ts'
import { playlistLength } from './playlistTexts.ts'
import { TitleForm } from './TitleForm.tsx'
import * as texts from './texts.ts'

/** From this number of playlists on, they can be searched. */
const SEARCH_THRESHOLD = 8

/** Chooses the playlist to add songs to: one of the member's own, most recently used first, or a new one. */
export function PlaylistChoice({ songs }: { songs: catalogue.Song[] }) {
  const { data, error, isFetching, refetch, total = 0 } = usePlaylistPage('mine')
  // A refetch must not reorder the list while the user is choosing from it.
  const [isSettled, setSettled] = useState(!isFetching)
  if (!isFetching && !isSettled) setSettled(true)
  const what = songs.length === 1 ? `“${songs[0]?.title}”` : format(texts.songCount, { count: songs.length })
  return (
    <Dialog title={texts.addToPlaylist} onClose={closePlaylistChoice}>
      <p className={css.what}>{what}</p>
      {error && !data && (
        <ErrorState error={error} title={texts.couldntLoadYourPlaylists} retry={() => void refetch()} />
      )}
      {!(data && isSettled) && !error && <div className={css.waiting} aria-busy />}
      {data && isSettled && <PlaylistOptions total={total} songs={songs} />}
    </Dialog>
  )
}

type PlaylistChoiceProps = { total: number; songs: catalogue.Song[] }

/**
 * Focuses the most recently used playlist when the dialog opens, so that Enter chooses it. It does not scroll back to
 * it: the user may already have scrolled.
 */
function useFocusOnce() {
  const done = useRef(false)
  return useCallback((button: HTMLButtonElement | null) => {
    if (!button || done.current) return
    done.current = true
    // After the dialog itself, which focuses its first button.
    setTimeout(() => button.focus({ preventScroll: true }), 50)
  }, [])
}

function PlaylistOptions({ total, songs }: PlaylistChoiceProps) {
  const focusOnce = useFocusOnce()
  const [isCreating, setCreating] = useState(total === 0)
  const [search, setSearch] = useState('')
  const [busy, setBusy] = useState<number>()
  const found = usePlaylistPage('mine', search)
  const add = async (playlist: playlists.Playlist) => {
    if (busy) return
    setBusy(playlist.playlist_id)
    try {
      if (await addToPlaylist(playlist, songs)) closePlaylistChoice()
    } finally {
      setBusy(undefined)
    }
  }
  return (
    <div className={css.choice}>
      {isCreating ? (
        <NewPlaylistForm songs={songs} {...(total ? { onCancel: () => setCreating(false) } : {})} />
      ) : (
        <button type="button" className={css.row} data-new onClick={() => setCreating(true)}>
          <span className={css.plus}>
            <IconPlus size={18} aria-hidden />
          </span>
          {texts.newPlaylistMenuItem}
        </button>
      )}
      {total >= SEARCH_THRESHOLD && (
        <SearchField label={texts.searchYourPlaylists} value={search} onSearch={(search) => setSearch(search ?? '')} />
      )}
      <PlaylistPages list="mine" search={search} className={css.list} skeleton={<RowSkeleton />} isEndless>
        {(playlist, place) => (
          <li key={playlist.playlist_id}>
            <button
              type="button"
              ref={place === 0 && !isCreating ? focusOnce : undefined}
              className={css.row}
              aria-busy={busy === playlist.playlist_id || undefined}
              onClick={() => void add(playlist)}
            >
              <span className={css.picture}>
                <Mosaic images={playlist.images} width={96} />
              </span>
              <span className={css.words}>
                <b title={playlist.title}>{playlist.title}</b>
                <small className="num">{playlistLength(playlist)}</small>
              </span>
            </button>
          </li>
        )}
      </PlaylistPages>
      {search && found.total === 0 && <p className={css.none}>{format(texts.noPlaylistsMatch, { search })}</p>}
    </div>
  )
}

const RowSkeleton = () => <li className={css.row} aria-hidden />

function NewPlaylistForm({ songs, onCancel }: { songs: catalogue.Song[]; onCancel?: () => void }) {
  const create = async (title: string) => {
    const { playlist_id } = await createPlaylist(title, songs)
    closePlaylistChoice()
    void toast({
      message: format(texts.songsAddedTo, { count: songs.length, title }),
      action: { label: texts.open, run: () => goTo(`/playlist/${playlist_id}`) },
    })
  }
  return (
    <TitleForm
      label={texts.playlistName}
      submitLabel={texts.create}
      onSubmit={create}
      {...(onCancel ? { onCancel } : {})}
    />
  )
}
