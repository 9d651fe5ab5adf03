import { type InputOf, ownLibrary } from '@dubplate/contract'
import { count } from '../format/format.ts'
import { format } from '../format/message.ts'
import { useApiQuery } from '../platform/queries.ts'
import css from './OwnedMark.module.css'
import * as texts from './texts.ts'

type Props = {
  list: InputOf<typeof ownLibrary.countOwned>
  /** The number of its songs. */
  songs: number
}

/** How many songs of a collection or playlist the member owns. */
export function OwnedCount({ list, songs }: Props) {
  const { data, error } = useApiQuery(ownLibrary.countOwned, list)
  if (error && !data) return null
  const text = format(texts.youOwn, { owned: count(data?.owned ?? 0), songs: count(songs) })
  // Its width is kept free, so that nothing moves when the reply arrives.
  return (
    <span className={data ? undefined : css.pending}>
      {' · '}
      <span className={css.count}>{text}</span>
    </span>
  )
}
