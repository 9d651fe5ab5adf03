import type { RefObject } from 'react'
import { format } from '../../platform/message.ts'
import { useRowOrder } from '../useRowOrder.ts'
import { movedInTree, siblingsOf } from './genreTree.ts'
import { genresShown, orderGenres, showGenres } from './programme.ts'
import * as texts from './texts.ts'

/** Reorders the curated genres, each among its siblings. */
export const useTreeOrder = (list: RefObject<HTMLElement | null>) =>
  useRowOrder(list, {
    rows: genresShown,
    move: (from, to) => {
      const { genres, at } = movedInTree(genresShown(), from, to)
      if (at !== from) showGenres(genres)
      return at
    },
    nameOf: ({ title }) => title,
    saidOf: (genre) => {
      const siblings = siblingsOf(genresShown(), genre.parent_id)
      return format(texts.genreMovedToOf, {
        title: genre.title,
        indexOf: siblings.indexOf(genre) + 1,
        length: siblings.length,
      })
    },
    keep: ({ parent_id }) => {
      const curated_genre_ids = siblingsOf(genresShown(), parent_id).map(({ curated_genre_id }) => curated_genre_id)
      orderGenres({ parent_id, curated_genre_ids })
    },
  })
