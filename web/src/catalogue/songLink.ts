import type { catalogue } from '@dubplate/contract'
import { toast } from '../ui/toast.ts'
import * as texts from './texts.ts'

/** Copies the URL of a song and confirms it; if the browser does not allow it, shows the URL. */
export async function copySongLink(song: catalogue.Song) {
  const url = `${location.origin}/song/${song.entity_id}`
  try {
    await navigator.clipboard.writeText(url)
    void toast({ message: texts.linkCopied })
  } catch {
    void toast({ title: texts.couldntCopyTheLink, message: url, tone: 'error' })
  }
}
