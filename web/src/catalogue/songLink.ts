import type { catalogue } from '@dubplate/contract'
import { toast } from '../ui/toast.ts'
import * as texts from './texts.ts'

/** Copies a URL and confirms it; if the browser does not allow it, shows the URL. */
export async function copyLink(url: string) {
  try {
    await navigator.clipboard.writeText(url)
    void toast({ message: texts.linkCopied })
  } catch {
    void toast({ title: texts.couldntCopyTheLink, message: url, tone: 'error' })
  }
}

export const copySongLink = (song: catalogue.Song) => copyLink(`${location.origin}/song/${song.entity_id}`)
