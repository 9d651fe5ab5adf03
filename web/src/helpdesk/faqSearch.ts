import type { helpdesk } from '@dubplate/contract'

type Faq = helpdesk.Faq

/** Without accents, case and HTML tags: 'Größe' is found by 'grosse' and by 'große'. */
const normaliseText = (text: string): string =>
  text
    .replace(/<[^>]*>/g, ' ')
    .replace(/&(nbsp|#160);/g, ' ')
    .replace(/&amp;/g, '&')
    .replace(/ß/g, 'ss')
    .normalize('NFD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()

const splitWords = (text: string): string[] => normaliseText(text).match(/[\p{L}\p{N}]+/gu) ?? []

/** The FAQs with all of these words in the question or answer; matches in the question alone come first. */
export function searchFaqs(faqs: readonly Faq[], typed: string): readonly Faq[] {
  const words = splitWords(typed)
  if (words.length === 0) return faqs
  const has = (text: string) => words.every((word) => text.includes(word))
  const matches = faqs.filter(({ question, answer }) => has(`${normaliseText(question)} ${normaliseText(answer)}`))
  const isInQuestion = ({ question }: Faq) => has(normaliseText(question))
  return [...matches.filter(isInQuestion), ...matches.filter((faq) => !isInQuestion(faq))]
}

/** Words that say nothing about the topic of a question. */
const STOP_WORDS = new Set(
  'about and any are can cannot cant could did does doesn doing don for from get has have how into isn its just more not off one out please problem question some that the them then there they this was what when where which who why will with would you your'.split(
    ' ',
  ),
)

const MAX_SUGGESTIONS = 3

/**
 * Up to three FAQs that may answer a ticket with this subject, the most likely first. A match at the start of a word
 * scores two in the question and one in the answer; a single word found only in an answer is not enough.
 */
export function suggestFaqs(faqs: readonly Faq[], subject: string): Faq[] {
  const searchWords = [...new Set(splitWords(subject))].filter((word) => word.length > 2 && !STOP_WORDS.has(word))
  if (searchWords.length === 0) return []
  const ranked = faqs.map((faq) => ({ faq, score: scoreOf(faq, searchWords) })).filter(({ score }) => score >= 2)
  return ranked
    .sort((a, b) => b.score - a.score)
    .slice(0, MAX_SUGGESTIONS)
    .map(({ faq }) => faq)
}

function scoreOf({ question, answer }: Faq, searchWords: string[]): number {
  const [inQuestion, inAnswer] = [splitWords(question), splitWords(answer)]
  const includesWord = (words: string[], word: string) => words.some((each) => each.startsWith(stem(word)))
  return searchWords.reduce(
    (sum, word) => sum + (includesWord(inQuestion, word) ? 2 : 0) + (includesWord(inAnswer, word) ? 1 : 0),
    0,
  )
}

/** 'downloads' and 'downloading' match 'download'. */
const stem = (word: string) => word.replace(/(?<=.{4})(ing|ed|es|s)$/, '')
