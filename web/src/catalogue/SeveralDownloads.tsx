import type { catalogue } from '@dubplate/contract'
import { useEffect, useRef, useState } from 'react'
import { downloadSong, downloadSongs } from '../downloads/download.ts'
import { plural } from '../platform/format.ts'
import { Button } from '../ui/Button.tsx'
import { toast } from '../ui/toast.ts'
import css from './RowSelectionBar.module.css'

type Props = { songs: catalogue.Song[]; onEnd: () => void }

/** Downloads the selected songs: says first what will happen, then how far it is, and can be stopped. */
export function SeveralDownloads({ songs, onEnd }: Props) {
  const [at, setAt] = useState<{ title: string; number: number }>()
  const [all] = useState(songs)
  const stop = useRef(new AbortController())
  useEffect(() => {
    const only = all[0]
    if (all.length > 1 || !only) return
    void downloadSong(only.entity_id)
    onEnd()
  }, [all, onEnd])
  // Whoever leaves the list leaves what has not begun.
  useEffect(() => () => stop.current.abort(), [])

  const start = async () => {
    stop.current = new AbortController()
    const { signal } = stop.current
    const onSong = ({ title }: catalogue.Song, n: number) => setAt({ title, number: n + 1 })
    const started = await downloadSongs(all, { signal, onSong })
    if (started) void toast({ message: `${started} of ${plural(all.length, 'download')} started.` })
    onEnd()
  }
  if (!at) {
    return (
      <div className={css.downloads}>
        <p>Download {plural(all.length, 'song')} as separate zip files, each with all versions.</p>
        <Button look="primary" autoFocus onClick={() => void start()}>
          {' '}
          Download{' '}
        </Button>
        <Button onClick={onEnd}>Cancel</Button>
      </div>
    )
  }
  return (
    <div className={css.downloads}>
      <p role="status" title={at.title}>
        Preparing {at.number} of {all.length}: {at.title}
      </p>
      <progress value={at.number - 1} max={all.length} aria-label="Download progress" />
      <Button onClick={() => stop.current.abort()}>Stop</Button>
    </div>
  )
}
