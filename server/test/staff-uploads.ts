import { review, uploadedSongs } from '@dubplate/contract'
import { aGenre, aMember } from './makers.ts'
import type { StaffContext } from './staff-context.ts'
import { anUpload, songData } from './upload-makers.ts'

let count = 0

/** A label's song that is in review, as staff read it. */
export async function aReviewedUpload({ pool, ask }: StaffContext) {
  const label = await aMember(pool.ctx, { group_id: 3 })
  const upload = await anUpload(pool.ctx, label)
  const genre = await aGenre(pool.ctx, `Upload genre ${++count}`)
  const data = songData({ title: `Upload ${count}`, genres: [genre] })
  const { entity_id } = await pool.ask(
    uploadedSongs.createSong,
    { songData: data, versions: [{ new_label: 'Clean', song: upload }] },
    label.token,
  )
  const { song } = await ask(review.getUpload, { entity_id })
  return { entity_id, version: song.version, data }
}
