import { support } from '@dubplate/contract'
import { Combobox, Skeleton, Stack, Text, TextInput, useCombobox } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { type KeyboardEvent, useEffect, useId, useMemo, useRef, useState } from 'react'
import { format, rich } from '../../format/message.ts'
import { ErrorState } from '../../platform/ErrorState.tsx'
import { useApiQuery } from '../../platform/queries.ts'
import { refreshReplies, useApiMutation } from '../../platform/useApiMutation.ts'
import { Dialog } from '../../ui/Dialog.tsx'
import { findAnswers, wordsOf } from './savedReplies.ts'
import * as texts from './texts.ts'

type Props = { ticketNumber: number; onPick: (html: string) => void; onClose: () => void }

/** Lets staff pick a saved reply, and loads it filled in for a ticket. */
export function SavedReplyPicker({ ticketNumber, onPick, onClose }: Props) {
  const { data, error, refetch } = useApiQuery(support.getSavedReplies, {})
  const fill = useApiMutation(support.fillSavedReply)
  const pick = (savedReplyId: number) =>
    fill.mutate(
      { saved_reply_id: savedReplyId, ticket_number: ticketNumber },
      { onSuccess: ({ html }) => onPick(html), onSettled: () => void refreshReplies([support.getSavedReplies]) },
    )
  return (
    <Dialog title={texts.savedReplies} onClose={onClose}>
      <Stack gap="md">
        {error && !data ? (
          <ErrorState error={error} title={texts.couldntLoadSavedReplies} retry={() => void refetch()} />
        ) : (
          <SavedReplyList replies={data?.answers} onPick={pick} />
        )}
        <Text role="alert" size="sm" c="var(--danger)">
          {fill.error?.message}
        </Text>
      </Stack>
    </Dialog>
  )
}

type ListProps = { replies: readonly support.SavedReply[] | undefined; onPick: (savedReplyId: number) => void }

/**
 * A list filtered by what is typed: arrows move through it, Enter chooses. The field is shown before the replies have
 * loaded.
 */
function SavedReplyList({ replies, onPick }: ListProps) {
  const id = useId()
  const combobox = useCombobox({ opened: true })
  const list = useRef<HTMLDivElement>(null)
  const [search, setSearch] = useState('')
  const [index, setIndex] = useState(0)
  const searchable = useMemo(() => (replies ?? []).map((each) => ({ ...each, words: wordsOf(each.answer) })), [replies])
  const found = findAnswers(searchable, search)
  const active = found[Math.min(index, found.length - 1)]
  const optionId = (savedReplyId: number) => `${id}-${savedReplyId}`
  // Scrolls when another option becomes active.
  useEffect(() => {
    list.current?.querySelector('[aria-selected=true]')?.scrollIntoView({ block: 'nearest' })
  }, [active?.saved_reply_id])
  const handleKey = (event: KeyboardEvent) => {
    const to = { ArrowDown: index + 1, ArrowUp: index - 1, Home: 0, End: found.length - 1 }[event.key]
    if (event.key === 'Enter' && active) onPick(active.saved_reply_id)
    else if (to !== undefined && found.length > 0) setIndex((to + found.length) % found.length)
    else return
    event.preventDefault()
  }
  return (
    <Combobox store={combobox} onOptionSubmit={(value) => onPick(Number(value))}>
      <TextInput
        data-autofocus
        role="combobox"
        aria-label={texts.searchSavedRepliesLabel}
        placeholder={texts.search}
        autoComplete="off"
        aria-expanded
        aria-controls={`${id}-list`}
        aria-activedescendant={active && optionId(active.saved_reply_id)}
        value={search}
        onChange={({ target }) => {
          setSearch(target.value)
          setIndex(0)
        }}
        onKeyDown={handleKey}
      />
      <Combobox.Options
        ref={list}
        id={`${id}-list`}
        aria-label={texts.savedReplies}
        mah="min(50vh, 400px)"
        style={{ overflowY: 'auto' }}
      >
        {found.map(({ saved_reply_id, title, words }, at) => (
          <Combobox.Option
            key={saved_reply_id}
            id={optionId(saved_reply_id)}
            value={String(saved_reply_id)}
            aria-selected={saved_reply_id === active?.saved_reply_id}
            bg={saved_reply_id === active?.saved_reply_id ? 'var(--surface-3)' : undefined}
            onPointerMove={() => setIndex(at)}
          >
            <Text fw={600}>{title}</Text>
            <Text size="sm" c="var(--text-2)" lineClamp={2}>
              {words}
            </Text>
          </Combobox.Option>
        ))}
      </Combobox.Options>
      {!replies && <Skeleton height={120} aria-busy />}
      {replies?.length === 0 && (
        <Text c="var(--text-2)">
          {rich(texts.noSavedRepliesYetCreate, { link: (inside) => <Link to="/staff/saved-replies">{inside}</Link> })}
        </Text>
      )}
      <Text role="status" c="var(--text-2)" className={found.length > 0 ? 'sr' : undefined}>
        {replies && replies.length > 0 && foundInWords(found.length)}
      </Text>
    </Combobox>
  )
}

const foundInWords = (n: number) => (n === 0 ? texts.noSavedRepliesMatchYour : format(texts.savedRepliesFound, { n }))
