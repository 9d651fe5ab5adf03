import { helpdesk } from '@dubplate/contract'
import { Skeleton, Text, UnstyledButton } from '@mantine/core'
import { IconChevronDown, IconChevronRight, IconSearch } from '@tabler/icons-react'
import { Link, useNavigate, useSearch } from '@tanstack/react-router'
import { useEffect, useRef, useState } from 'react'
import { format } from '../format/message.ts'
import { ErrorState } from '../platform/ErrorState.tsx'
import { Html } from '../platform/Html.tsx'
import { useApiQuery } from '../platform/queries.ts'
import { Button } from '../ui/Button.tsx'
import { EmptyState } from '../ui/EmptyState.tsx'
import { SearchField } from '../ui/SearchField.tsx'
import { SectionHead } from '../ui/SectionHead.tsx'
import words from '../ui/Words.module.css'
import { searchFaqs } from './faqSearch.ts'
import css from './HelpDesk.module.css'
import * as texts from './texts.ts'

/** The FAQs with a search; `onAsk` opens the ticket form. */
export function Faqs({ onAsk }: { onAsk: () => void }) {
  const { find: searchText = '', faq: opened } = useSearch({ from: '/support/faqs' })
  const navigate = useNavigate({ from: '/support/faqs' })
  const { data, error, refetch } = useApiQuery(helpdesk.getFaqs, {})
  const matches = data && searchFaqs(data.faqs, searchText)
  const change = (change: { find?: string | undefined; faq?: number | undefined }) =>
    void navigate({ search: (previous) => ({ ...previous, ...change }), replace: true, resetScroll: false })
  return (
    <section aria-labelledby="faqs">
      <SectionHead id="faqs" title={texts.frequentlyAskedQuestions}>
        {/* Next to the form, no link to it is needed. */}
        <UnstyledButton hiddenFrom="lg" onClick={onAsk}>
          {texts.submitATicket}
        </UnstyledButton>
      </SectionHead>
      {data?.faqs.length !== 0 && (
        <SearchField
          label={texts.searchFaqs}
          value={searchText}
          onSearch={(searchText) => change({ find: searchText })}
        />
      )}
      {/* Announces the number of matches to screen readers. */}
      <p role="status" className="sr">
        {searchText && matches && format(texts.questionsFound, { count: matches.length })}
      </p>
      {error && !data && <ErrorState error={error} title={texts.couldntLoadFaqs} retry={() => void refetch()} />}
      {!data && !error && <FaqSkeleton />}
      {matches && matches.length > 0 && (
        <ul>
          {matches.map((faq) => (
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
      {matches?.length === 0 && (
        <EmptyState
          icon={<IconSearch size={24} />}
          title={searchText ? texts.noResults : texts.noFaqsYet}
          action={<Button onClick={onAsk}>{texts.submitATicket}</Button>}
        >
          {searchText ? format(texts.noAnswersMatchTryFewer, { find: searchText }) : texts.submitATicketAndWell}
        </EmptyState>
      )}
      <Link to="/dj-software" className={css.guides}>
        {texts.useKitsInYourSoftware}
        <IconChevronRight size={18} aria-hidden />
      </Link>
    </section>
  )
}

type EntryProps = { faq: helpdesk.Faq; isNamed: boolean; onToggle: (isOpen: boolean) => void }

/** Opening one entry leaves the others open, so that nothing moves under the pointer. */
function FaqEntry({ faq: { question, answer }, isNamed, onToggle }: EntryProps) {
  const box = useRef<HTMLDetailsElement>(null)
  const [wasNamed] = useState(isNamed)
  useEffect(() => {
    if (wasNamed) box.current?.scrollIntoView({ block: 'nearest' })
  }, [wasNamed])
  return (
    <details
      ref={box}
      className={css.faq}
      open={wasNamed}
      onToggle={({ currentTarget: { open } }) => open !== isNamed && onToggle(open)}
    >
      <summary>
        <Text component="h3" fw={580}>
          {question}
        </Text>
        <IconChevronDown size={18} aria-hidden />
      </summary>
      <Text component="div" c="var(--text-2)" lh={1.5} pr={32} pb="lg">
        <Html html={answer} className={words.words} />
      </Text>
    </details>
  )
}

const FaqSkeleton = () => (
  <ul aria-busy aria-label={texts.loadingFaqs}>
    {[...Array(6).keys()].map((n) => (
      <Skeleton key={n} component="li" height={20} my={14} radius="sm" aria-hidden />
    ))}
  </ul>
)
