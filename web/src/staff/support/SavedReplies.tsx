import { support } from '@dubplate/contract'
import { saveSavedReply } from '@dubplate/contract/schemas/support'
import { Code, DataList, TextInput, Title } from '@mantine/core'
import { IconMessages, IconPencil, IconTrash } from '@tabler/icons-react'
import { useMemo, useState } from 'react'
import { MainCell } from '../../admin/cells.tsx'
import { RichTextInput } from '../../admin/formFields.tsx'
import { ResourceForm } from '../../admin/ResourceForm.tsx'
import { type Column, ResourceTable } from '../../admin/ResourceTable.tsx'
import { SidePanel, TablePage } from '../../admin/TablePage.tsx'
import { TableToolbar } from '../../admin/TableToolbar.tsx'
import { useTableSearch } from '../../admin/useTableSearch.ts'
import { format } from '../../format/message.ts'
import { callApi } from '../../platform/api.ts'
import { useApiQuery } from '../../platform/queries.ts'
import { trimmedText } from '../../platform/search-fields.ts'
import { formatTimeAgo, useCurrentMinute } from '../../platform/timeAgo.ts'
import { useApiMutation } from '../../platform/useApiMutation.ts'
import { useResourceForm } from '../../platform/useResourceForm.ts'
import { Button } from '../../ui/Button.tsx'
import { ConfirmDialog } from '../../ui/ConfirmDialog.tsx'
import { findAnswers, PLACEHOLDER_WORDS, wordsOf } from './savedReplies.ts'
import * as texts from './texts.ts'

type Reply = support.SavedReply
type FoundReply = Reply & { words: string }

/** In the URL: a new reply is being written; otherwise the number of the reply that is open. */
const NEW = 'new'

const COLUMNS: Column<FoundReply>[] = [
  {
    id: 'title',
    header: texts.savedReply,
    width: 'auto',
    cell: ({ title, words }) => <MainCell title={title} text={words} />,
  },
  { id: 'used', header: texts.used, width: 200, showFrom: 620, cell: (reply) => <Use reply={reply} /> },
]

/** Saved replies for tickets. */
export function SavedReplies() {
  const query = useApiQuery(support.getSavedReplies, {})
  const { data } = query
  const { search, change } = useTableSearch({ find: trimmedText, open: trimmedText })
  const [deleting, setDeleting] = useState<Reply>()
  const remove = useApiMutation(support.removeSavedReply, { invalidates: [support.getSavedReplies] })
  const replies = useMemo(() => data?.answers.map((reply) => ({ ...reply, words: wordsOf(reply.answer) })), [data])
  const { find = '' } = search
  const found = useMemo(() => replies && findAnswers(replies, find), [replies, find])
  const open = replies?.find(({ saved_reply_id }) => String(saved_reply_id) === search.open)
  const openReply = ({ saved_reply_id }: Reply) => change({ open: saved_reply_id })
  const close = () => change({ open: undefined })
  return (
    <TablePage
      total={replies?.length}
      actions={
        <Button variant="primary" onClick={() => change({ open: NEW })}>
          {texts.newSavedReply}
        </Button>
      }
      panel={
        (open || search.open === NEW) && (
          <SidePanel label={open?.title ?? texts.newSavedReply} onClose={close}>
            <ReplyForm key={open?.saved_reply_id ?? NEW} reply={open} onClose={close} />
          </SidePanel>
        )
      }
    >
      <ResourceTable
        name={texts.savedReplies}
        columns={COLUMNS}
        rows={found}
        pagination={undefined}
        query={query}
        errorTitle={texts.couldntLoadSavedReplies}
        idOf={({ saved_reply_id }) => saved_reply_id}
        labelOf={({ title }) => title}
        narrowRow={(reply) => ({
          start: <MainCell title={reply.title} text={reply.words} />,
          end: <Use reply={reply} />,
        })}
        onOpen={openReply}
        openId={open?.saved_reply_id}
        onPage={() => {}}
        rowActions={[
          { label: texts.edit, icon: IconPencil, run: openReply },
          { label: texts.deleteButton, icon: IconTrash, isDanger: true, run: setDeleting },
        ]}
        toolbar={
          <TableToolbar
            searchLabel={texts.searchSavedRepliesPlaceholder}
            search={find}
            onSearch={(find) => change({ find }, { replace: true })}
          />
        }
        empty={{
          icon: <IconMessages size={24} />,
          title: find ? texts.noMatchingSavedReplies : texts.noSavedRepliesYet,
          text: find
            ? texts.tryFewerOrDifferentWords
            : `${texts.writeCommonRepliesOnceNames} ${texts.inATicketReplyType}`,
        }}
      />
      {deleting && (
        <ConfirmDialog
          title={texts.deleteSavedReply}
          what={format(texts.willBeDeletedRepliesAlready, { title: deleting.title })}
          confirmLabel={texts.deleteButton}
          isDanger
          onConfirm={() => remove.mutateAsync({ saved_reply_id: deleting.saved_reply_id })}
          onClose={() => setDeleting(undefined)}
        />
      )}
    </TablePage>
  )
}

/** How often a reply was used, and when last. */
function Use({ reply: { used, last_used_at } }: { reply: Reply }) {
  const now = useCurrentMinute()
  if (used === 0) return texts.notUsedYet
  return last_used_at
    ? format(texts.usedTimesLast, { used, ago: formatTimeAgo(last_used_at, now) })
    : format(texts.usedTimes, { used })
}

const valuesOf = ({ title, answer, version }: Reply) => ({ title, answer, version })

/** Loads a reply that someone else has changed; undefined if it was deleted. */
async function loadReply(savedReplyId: number) {
  const { answers } = await callApi(support.getSavedReplies, {})
  const reply = answers.find(({ saved_reply_id }) => saved_reply_id === savedReplyId)
  return reply && valuesOf(reply)
}

function ReplyForm({ reply, onClose }: { reply: Reply | undefined; onClose: () => void }) {
  const form = useResourceForm({
    call: saveSavedReply,
    draftName: `saved-reply.${reply?.saved_reply_id ?? NEW}`,
    values: reply ? valuesOf(reply) : { title: '', answer: '' },
    toInput: (values: { title: string; answer: string; version?: number }) => ({
      ...values,
      ...(reply && { saved_reply_id: reply.saved_reply_id }),
    }),
    loadCurrent: reply && (() => loadReply(reply.saved_reply_id)),
    describe: { answer: wordsOf },
    invalidates: [support.getSavedReplies],
    onSaved: onClose,
  })
  const title = reply ? texts.editSavedReply : texts.newSavedReply
  return (
    <ResourceForm form={form} label={title} onClose={onClose}>
      <Title order={2}>{title}</Title>
      <TextInput label={texts.name} maxLength={120} data-autofocus autoComplete="off" {...form.field('title')} />
      <RichTextInput label={texts.reply} {...form.field('answer')} />
      <DataList labelWidth={140}>
        {support.PLACEHOLDERS.map((name) => (
          <DataList.Item key={name}>
            <DataList.ItemLabel>
              <Code>{`{${name}}`}</Code>
            </DataList.ItemLabel>
            <DataList.ItemValue>{PLACEHOLDER_WORDS[name]}</DataList.ItemValue>
          </DataList.Item>
        ))}
      </DataList>
    </ResourceForm>
  )
}
