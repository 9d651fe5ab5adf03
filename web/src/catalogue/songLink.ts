import type { catalogue } from '@dubplate/contract'
import { toast } from '../ui/toast.ts'

/** Copies the address of a song, and says so; where the browser does not let us, shows it. */
export async function copySongLink(song: catalogue.Song) {
  const address = `${location.origin}/song/${song.entity_id}`
  try {
    await navigator.clipboard.writeText(address)
    void toast({ message: 'Link copied.' })
  } catch {
    void toast({ title: 'Couldn’t copy the link', message: address, tone: 'trouble' })
  }
}
