import { helpdesk } from '@dubplate/contract'
import { IconSearch } from '@tabler/icons-react'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { useEffect, useRef, useState } from 'react'
import { Trouble } from '../platform/errors.tsx'
import { format } from '../platform/message.ts'
import { useAsk } from '../platform/queries.ts'
import { Html } from '../site/Html.tsx'
import { Button } from '../ui/Button.tsx'
import { EmptyState } from '../ui/EmptyState.tsx'
import { SearchField } from '../ui/SearchField.tsx'
import { SectionHead } from '../ui/SectionHead.tsx'
import words from '../ui/Words.module.css'
import css from './Faqs.module.css'
import { findFaqs } from './faqSearch.ts'
import * as texts from './texts.ts'

/** What is asked often; `onAsk` goes to where one can ask. */
export function Faqs({ onAsk }: { onAsk: () => void }) {
  const { find = '', faq: opened } = useSearch({ from: '/support/faqs' })
  const navigate = useNavigate({ from: '/support/faqs' })
  const { data, error, refetch } = useAsk(helpdesk.getFaqs, {})
  const found = data && findFaqs(data.faqs, find)
  const change = (change: { find?: string | undefined; faq?: number | undefined }) =>
    void navigate({ search: (was) => ({ ...was, ...change }), replace: true, resetScroll: false })
  return (
    <section aria-labelledby="faqs">
      <SectionHead id="faqs" title={texts.frequentlyAskedQuestions}>
        <button type="button" className={css.jump} onClick={onAsk}>
          {texts.submitATicket}
        </button>
      </SectionHead>
      {data?.faqs.length !== 0 && (
        <SearchField label={texts.searchFaqs} value={find} onSearch={(find) => change({ find })} />
      )}
      {/* Said to whoever cannot see the list change. */}
      <p role="status" className="sr">
        {find && found && format(texts.questionsFound, { count: found.length })}
      </p>
      {error && !data && <Trouble error={error} what={texts.faqs} retry={() => void refetch()} />}
      {!data && !error && <Bones />}
      {found && found.length > 0 && (
        <ul className={css.list}>
          {found.map((faq) => (
            <li key={faq.faq_id}>
              <FaqEntry
                faq={faq}
                isNamed={faq.faq_id === opened}
                onToggle={(isOpen) => {
                  if (isOpen) change({ faq: faq.faq_id })
                  else if (faq.faq_id === opened) change({ faq: undefined })
                }}
              />
            </li>
          ))}
        </ul>
      )}
      {found?.length === 0 && (
        <EmptyState
          icon={<IconSearch size={24} />}
          title={find ? texts.noResults : texts.noFaqsYet}
          action={<Button onClick={onAsk}>{texts.submitATicket}</Button>}
        >
          {find ? format(texts.noAnswersMatchTryFewer, { find }) : texts.submitATicketAndWell}
        </EmptyState>
      )}
    </section>
  )
}

type EntryProps = { faq: helpdesk.Faq; isNamed: boolean; onToggle: (isOpen: boolean) => void }

/** Opening one leaves the others as they are: nothing moves under the hand. */
function FaqEntry({ faq: { question, answer }, isNamed, onToggle }: EntryProps) {
  const box = useRef<HTMLDetailsElement>(null)
  const [isOpen, setOpen] = useState(isNamed)
  const wasNamed = useRef(isNamed)
  useEffect(() => {
    // An address with a question in it leads there.
    if (wasNamed.current) box.current?.scrollIntoView({ block: 'nearest' })
  }, [])
  const toggle = (open: boolean) => {
    if (open === isOpen) return
    setOpen(open)
    onToggle(open)
  }
  return (
    <details ref={box} className={css.entry} open={isOpen} onToggle={({ currentTarget }) => toggle(currentTarget.open)}>
      <summary>
        <h3>{question}</h3>
      </summary>
      <Html html={answer} className={`${css.answer} ${words.words}`} />
    </details>
  )
}

const QUESTIONS = 6

const Bones = () => (
  <ul className={css.list} aria-busy aria-label={texts.loadingFaqs}>
    {Array.from({ length: QUESTIONS }, (_, i) => (
      // biome-ignore lint/suspicious/noArrayIndexKey: they are all alike
      <li key={i} className={css.bone} aria-hidden />
    ))}
  </ul>
)
