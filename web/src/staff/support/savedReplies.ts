import type { support } from '@dubplate/contract'
import * as texts from './texts.ts'

/** The plain text of HTML, for searching and previews. */
export const wordsOf = (html: string): string =>
  (
    new DOMParser().parseFromString(html.replaceAll('</p>', ' </p>').replaceAll('<br>', ' '), 'text/html').body
      .textContent ?? ''
  )
    .replace(/\s+/g, ' ')
    .trim()

const plain = (text: string) => text.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase()

export type Searchable = { title: string; words: string }

/** Replies that contain every search word; those with the words in their title come first. */
export function findAnswers<A extends Searchable>(answers: readonly A[], looked: string): A[] {
  const wanted = plain(looked).split(/\s+/).filter(Boolean)
  const fits = ({ title, words }: A) => wanted.every((word) => plain(`${title} ${words}`).includes(word))
  const isNamed = ({ title }: A) => wanted.every((word) => plain(title).includes(word))
  const found = answers.filter(fits)
  return [...found.filter(isNamed), ...found.filter((answer) => !isNamed(answer))]
}

export const PLACEHOLDER_WORDS: Record<support.Placeholder, string> = {
  dj_name: texts.theMembersDjName,
  ticket_number: texts.ticketNumber,
  subject: texts.ticketSubject,
  pool_name: texts.siteName,
  staff_name: texts.yourName,
}
