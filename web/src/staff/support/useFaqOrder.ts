import { support } from '@dubplate/contract'
import type { RefObject } from 'react'
import { callApi } from '../../platform/api.ts'
import { inTurn } from '../inTurn.ts'
import { moveAmong, useRowOrder } from '../useRowOrder.ts'
import { shownAnswer } from './shownAnswer.ts'
import * as texts from './texts.ts'
import { askFaqsAnew } from './tickets.ts'

const shown = shownAnswer(support.getFaqs, {})

const rows = () => shown.get()?.faqs ?? []

const tell = inTurn(askFaqsAnew)

/** Reorders the questions as members see them. */
export const useFaqOrder = (list: RefObject<HTMLElement | null>) =>
  useRowOrder(list, {
    rows,
    move: (from, to) => moveAmong(rows(), from, to, (faqs) => shown.change(() => ({ faqs }))),
    nameOf: ({ question }) => question,
    keep: () => {
      const faq_ids = rows().map(({ faq_id }) => faq_id)
      void tell(() => callApi(support.orderFaqs, { faq_ids }), texts.couldntSaveTheOrder)
    },
  })
