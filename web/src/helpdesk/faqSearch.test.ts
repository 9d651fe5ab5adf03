import { expect, test } from 'vitest'
import { searchFaqs, suggestFaqs } from './faqSearch.ts'

const faq = (faq_id: number, question: string, answer: string) => ({ faq_id, question, answer })
const FAQS = [
  faq(1, 'How many times may I download a version?', '<p>Twice. Your <b>crate</b> shows it.</p>'),
  faq(2, 'Where do I cancel my subscription?', '<p>Under Subscription.</p>'),
  faq(3, 'Kann ich die Größe ändern?', '<p>Nein.</p>'),
  faq(4, 'Which files are in the crate?', '<p>320 kbps MP3.</p>'),
  faq(5, 'May I play downloads in public?', '<p>Yes.</p>'),
  faq(6, 'Why did my download break off?', '<p>It goes on where it stopped.</p>'),
]
const ids = (faqs: readonly { faq_id: number }[]) => faqs.map(({ faq_id }) => faq_id)

test('matches all words in the question or answer, and lists matches in the question first', () => {
  expect(ids(searchFaqs(FAQS, 'crate'))).toEqual([4, 1])
  expect(ids(searchFaqs(FAQS, 'crate download'))).toEqual([1])
  expect(ids(searchFaqs(FAQS, 'crate vinyl'))).toEqual([])
})

test('ignores accents and case, and does not search HTML tags', () => {
  expect(ids(searchFaqs(FAQS, 'GROSSE'))).toEqual([3])
  expect(ids(searchFaqs(FAQS, 'größe andern'))).toEqual([3])
  expect(searchFaqs([faq(1, 'A', '<p class="x">B</p>')], 'class')).toEqual([])
})

test('returns all in their order for an empty search', () => {
  expect(searchFaqs(FAQS, '  ')).toBe(FAQS)
})

test('suggests the three most likely answers for a subject', () => {
  expect(ids(suggestFaqs(FAQS, 'My downloads break off'))[0]).toBe(6)
  expect(suggestFaqs(FAQS, 'download')).toHaveLength(3)
  expect(ids(suggestFaqs(FAQS, 'cancelling the subscription'))).toEqual([2])
})

test('suggests nothing for stop words and for words that occur only in an answer', () => {
  expect(suggestFaqs(FAQS, 'why can I not')).toEqual([])
  expect(suggestFaqs(FAQS, 'kbps')).toEqual([])
  expect(suggestFaqs(FAQS, '')).toEqual([])
})
