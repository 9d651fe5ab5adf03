import { type catalogue, playlists } from '@dubplate/contract'
import { IconPlus } from '@tabler/icons-react'
import { useCallback, useRef, useState } from 'react'
import { format } from '../format/message.ts'
import { goTo } from '../platform/address.ts'
import { ErrorState } from '../platform/ErrorState.tsx'
import { useApiQuery } from '../platform/queries.ts'
import { Dialog } from '../ui/Dialog.tsx'
import { toast } from '../ui/toast.ts'
import { Mosaic } from './Mosaic.tsx'
import css from './PlaylistChoice.module.css'
import { closePlaylistChoice } from './playlistChoice.ts'
import { addToPlaylist, createPlaylist } from './playlists.ts'
import { playlistLength } from './playlistTexts.ts'
import { TitleForm } from './TitleForm.tsx'
import * as texts from './texts.ts'

/** From this number of playlists on, they can be filtered by typing. */
const SEARCH_THRESHOLD = 8

/** Chooses the playlist to add songs to: one of the member's own, most recently used first, or a new one. */
export function PlaylistChoice({ songs }: { songs: catalogue.Song[] }) {
  const { data, error, isFetching, refetch } = useApiQuery(playlists.getPlaylists, {})
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
      {data && isSettled && <PlaylistOptions own={data.playlists} songs={songs} />}
    </Dialog>
  )
}

type PlaylistChoiceProps = { own: playlists.Playlist[]; songs: catalogue.Song[] }

/**
 * Focuses the most recently used playlist, so that Enter chooses it; not if the user is filtering or has moved the
 * focus.
 */
function useFocusOnce() {
  const done = useRef(false)
  return useCallback((button: HTMLButtonElement | null) => {
    if (!button || done.current) return
    done.current = true
    // After the dialog itself, which focuses its first button.
    setTimeout(() => button.focus(), 50)
  }, [])
}

function PlaylistOptions({ own, songs }: PlaylistChoiceProps) {
  const focusOnce = useFocusOnce()
  const [isCreating, setCreating] = useState(own.length === 0)
  const [searchText, setSearchText] = useState('')
  const [busy, setBusy] = useState<number>()
  const shown = own.filter(({ title }) => title.toLowerCase().includes(searchText.trim().toLowerCase()))
  const add = async (playlist: playlists.Playlist) => {
    if (busy) return
    setBusy(playlist.playlist_id)
    if (await addToPlaylist(playlist, songs)) closePlaylistChoice()
    setBusy(undefined)
  }
  return (
    <div className={css.choice}>
      {isCreating ? (
        <NewPlaylistForm songs={songs} {...(own.length ? { onCancel: () => setCreating(false) } : {})} />
      ) : (
        <button type="button" className={css.row} data-new onClick={() => setCreating(true)}>
          <span className={css.plus}>
            <IconPlus size={18} aria-hidden />
          </span>
          {texts.newPlaylistMenuItem}
        </button>
      )}
      {own.length >= SEARCH_THRESHOLD && (
        <input
          type="search"
          className={css.search}
          aria-label={texts.searchYourPlaylists}
          placeholder={texts.searchYourPlaylists}
          value={searchText}
          onChange={({ target }) => setSearchText(target.value)}
        />
      )}
      <ul className={css.list}>
        {shown.map((playlist, place) => (
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
        ))}
      </ul>
      {own.length > 0 && shown.length === 0 && (
        <p className={css.none}>{format(texts.noPlaylistsMatch, { sought: searchText })}</p>
      )}
    </div>
  )
}

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
    <TitleForm label={texts.playlistName} submit={texts.create} onSubmit={create} {...(onCancel ? { onCancel } : {})} />
  )
}
