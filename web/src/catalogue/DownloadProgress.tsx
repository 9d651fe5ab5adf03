import type { catalogue } from '@dubplate/contract'
import { useEffect, useRef, useState } from 'react'
import { downloadSong, downloadSongs } from '../downloads/bundles.ts'
import { format } from '../format/message.ts'
import { Button } from '../ui/Button.tsx'
import { toast } from '../ui/toast.ts'
import css from './RowSelectionBar.module.css'
import * as texts from './texts.ts'

type Props = { songs: catalogue.Song[]; onEnd: () => void }

/** Downloads the selected songs: shows what will happen, then the progress, and can be stopped. */
export function SeveralDownloads({ songs, onEnd }: Props) {
  const [at, setAt] = useState<{ title: string; number: number }>()
  const [all] = useState(songs)
  const abortRef = useRef(new AbortController())
  useEffect(() => {
    const only = all[0]
    if (all.length > 1 || !only) return
    void downloadSong(only.entity_id, only.title)
    onEnd()
  }, [all, onEnd])
  // Leaving the list cancels the downloads that have not started.
  useEffect(() => () => abortRef.current.abort(), [])

  const start = async () => {
    abortRef.current = new AbortController()
    const { signal } = abortRef.current
    const onSong = ({ title }: catalogue.Song, n: number) => setAt({ title, number: n + 1 })
    const started = await downloadSongs(all, { signal, onSong })
    if (started) void toast({ message: format(texts.ofDownloadsStarted, { started, count: all.length }) })
    onEnd()
  }
  if (!at) {
    return (
      <div className={css.downloads}>
        <p>{format(texts.downloadSongsAsSeparateZip, { count: all.length })}</p>
        <Button variant="primary" autoFocus onClick={() => void start()}>
          {texts.download}
        </Button>
        <Button onClick={onEnd}>{texts.cancel}</Button>
      </div>
    )
  }
  return (
    <div className={css.downloads}>
      <p role="status" title={at.title}>
        {format(texts.preparingOf, { number: at.number, count: all.length, title: at.title })}
      </p>
      <progress value={at.number - 1} max={all.length} aria-label={texts.downloadProgress} />
      <Button onClick={() => abortRef.current.abort()}>{texts.stop}</Button>
    </div>
  )
}
