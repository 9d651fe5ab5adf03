import { ownLibrary } from '@dubplate/contract'
import { count } from '../format/format.ts'
import { format } from '../format/message.ts'
import { useApiQuery } from '../platform/queries.ts'
import css from './OwnedMark.module.css'
import * as texts from './texts.ts'

/** How many songs of a list the member owns. `list` is as the API names it: 'spotlight-3'. */
export function OwnedCount({ list }: { list: string }) {
  const { data, error } = useApiQuery(ownLibrary.countOwned, { lists: [list] })
  if (error && !data) return null
  const found = data?.counts.find((each) => each.list === list)
  // Its width is kept free, so that nothing moves when the reply arrives.
  if (!data) return <span className={css.pending}> · {format(texts.youOwn, { owned: 0, songs: 0 })}</span>
  if (!found || found.songs === 0) return null
  return ` · ${format(texts.youOwn, { owned: count(found.owned), songs: count(found.songs) })}`
}
