import type { Endpoint, ReplyOf } from '@dubplate/contract'
import { type RefObject, useState } from 'react'
import { format } from '../format/message.ts'
import { moveItem } from '../library/playlistOrder.ts'
import { apiQuery, queryClient } from '../platform/queries.ts'
import { refreshReplies } from '../platform/useApiMutation.ts'
import { toastError } from '../ui/toast.ts'
import { useReordering } from '../ui/useReordering.ts'
import * as texts from './texts.ts'

/** The items in their new order, and the new index of the moved one. */
export type MovedItem<Item> = { items: Item[]; at: number }

export type ItemOrder<Item, List extends Endpoint> = {
  /** The call, without input, whose reply has the items. */
  list: List
  itemsOf: (reply: ReplyOf<List>) => readonly Item[]
  withItems: (reply: ReplyOf<List>, items: Item[]) => ReplyOf<List>
  nameOf: (item: Item) => string
  /** Moves an item as near to the requested index as possible; anywhere if missing. Returns its new index. */
  move?: (items: readonly Item[], from: number, to: number) => MovedItem<Item>
  /** In a tree, moves an item out of its parent (-1) or into one (1). Returns a message if it has to stay. */
  moveSideways?: (items: readonly Item[], from: number, step: number) => MovedItem<Item> | string
  /** What screen readers announce of a moved item; its place among all items if missing. */
  describeMove?: (items: readonly Item[], item: Item) => string
  /** Saves the order, or only the position of the item that was moved. */
  save: (items: readonly Item[], moved: Item) => Promise<unknown>
  /** The calls whose replies have the items in this order, too. */
  invalidates?: readonly Endpoint[]
}

/**
 * The order of a list that staff can change: it is shown at once and saved in the background, one move after the other.
 * @returns the event handlers of the list, and what screen readers announce
 */
export function useItemOrder<Item, List extends Endpoint>(
  element: RefObject<HTMLElement | null>,
  {
    list,
    itemsOf,
    withItems,
    nameOf,
    move = moveAnywhere,
    moveSideways,
    describeMove,
    save,
    invalidates = [],
  }: ItemOrder<Item, List>,
) {
  const [announcement, setAnnouncement] = useState('')
  const { queryKey } = apiQuery(list, {} as never)
  const items = (): readonly Item[] => {
    const reply = queryClient.getQueryData<ReplyOf<List>>(queryKey)
    return reply ? itemsOf(reply) : []
  }
  const show = ({ items: moved, at }: MovedItem<Item>) => {
    // A reply from before the move would undo it.
    void queryClient.cancelQueries({ queryKey })
    queryClient.setQueryData<ReplyOf<List>>(queryKey, (was) => was && withItems(was, moved))
    return at
  }
  const handlers = useReordering(element, {
    onMove: (from, to) => show(move(items(), from, to)),
    ...(moveSideways && {
      moveSideways: (from, step) => {
        const moved = moveSideways(items(), from, step)
        if (typeof moved !== 'string') return show(moved)
        setAnnouncement(moved)
      },
    }),
    onMoved: (at = 0) => {
      const item = items()[at]
      if (item === undefined) return
      const place = { name: nameOf(item), position: at + 1, count: items().length }
      setAnnouncement(describeMove?.(items(), item) ?? format(texts.movedToPosition, place))
      const order = items()
      void saveInTurn(() => save(order, item), [list, ...invalidates])
    },
    onPickedUp: (at, isPickedUp) => {
      const item = items()[at]
      if (item !== undefined)
        setAnnouncement(format(isPickedUp ? texts.rowPickedUp : texts.rowDropped, { name: nameOf(item) }))
    },
  })
  return { handlers, announcement }
}

function moveAnywhere<Item>(items: readonly Item[], from: number, to: number): MovedItem<Item> {
  const at = Math.max(0, Math.min(to, items.length - 1))
  return { items: moveItem(items, from, at), at }
}

let lastMove = Promise.resolve()
let pendingMoves = 0

/** Saves a move once the previous one is saved. The lists are loaded again after the last: an earlier reply would undo it. */
function saveInTurn(save: () => Promise<unknown>, lists: readonly Endpoint[]) {
  pendingMoves += 1
  lastMove = lastMove
    .then(save)
    .catch((error) => void toastError(texts.couldntSaveTheOrder, error))
    .then(() => {
      pendingMoves -= 1
      if (pendingMoves === 0) void refreshReplies(lists)
    })
  return lastMove
}
