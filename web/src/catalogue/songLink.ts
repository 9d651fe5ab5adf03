import type { catalogue } from '@dubplate/contract'
import { toast } from '../ui/toast.ts'
import * as texts from './texts.ts'

/** Copies the address of a song, and says so; where the browser does not let us, shows it. */
export async function copySongLink(song: catalogue.Song) {
  const searchAddress = `${location.origin}/song/${song.entity_id}`
  try {
    await navigator.clipboard.writeText(searchAddress)
    void toast({ message: texts.linkCopied })
  } catch {
    void toast({ title: texts.couldntCopyTheLink, message: searchAddress, tone: 'trouble' })
  }
}
